import { REDACTED } from '../../words/redact.ts'
import { sarifOf } from '../../words/sarif.ts'
import type { Result } from '../verify/suite.ts'

const LEVELS = { passed: 'none', failed: 'error', skipped: 'none' } as const
const KINDS = { passed: 'pass', failed: 'fail', skipped: 'notApplicable' } as const

/** Writes SARIF: a rule and a result for each check, located at the handler's URL. */
export function sarifOfChecks(url: string, results: readonly Result[]): string {
  const rules = results.map(({ check, claim, why, remedy, docs, group }) => ({
    id: check,
    shortDescription: { text: claim },
    fullDescription: { text: why },
    help: { text: `${why} ${remedy} See ${docs}.` },
    properties: { tags: [group] },
  }))
  // A query must not have brackets; those of an IPv6 address stay.
  const uri = url.replaceAll(REDACTED, encodeURIComponent(REDACTED))
  const found = results.map(({ check, outcome, sent, received }, ruleIndex) => ({
    ruleId: check,
    ruleIndex,
    kind: KINDS[outcome],
    level: LEVELS[outcome],
    message: { text: sent === '' ? received : `Sent: ${sent}. Came back: ${received}` },
    locations: [{ physicalLocation: { artifactLocation: { uri } } }],
  }))
  return sarifOf('messaging-sandbox', rules, found)
}
