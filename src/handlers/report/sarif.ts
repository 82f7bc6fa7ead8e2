import { REDACTED } from '../../words/redact.ts'
import { VERSION } from '../../words/version.ts'
import type { Result } from '../verify/suite.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const LEVELS = { passed: 'none', failed: 'error', skipped: 'none' } as const
const KINDS = { passed: 'pass', failed: 'fail', skipped: 'notApplicable' } as const

/** Writes SARIF 2.1.0: a rule and a result for each check, located at the handler's URL. */
export function sarifOf(url: string, results: readonly Result[]): string {
  const rules = results.map(({ check, claim, why, remedy, docs, group }) => ({
    id: check,
    shortDescription: { text: claim },
    fullDescription: { text: why },
    help: { text: `${why} ${remedy} See ${docs}.` },
    properties: { tags: [group] },
  }))
  // A query must not have brackets; those of an IPv6 address stay.
  const uri = url.replaceAll(REDACTED, encodeURIComponent(REDACTED))
  const run = {
    tool: { driver: { name: 'messaging-sandbox', version: VERSION, rules } },
    results: results.map(({ check, outcome, sent, received }, ruleIndex) => ({
      ruleId: check,
      ruleIndex,
      kind: KINDS[outcome],
      level: LEVELS[outcome],
      message: { text: sent === '' ? received : `Sent: ${sent}. Came back: ${received}` },
      locations: [{ physicalLocation: { artifactLocation: { uri } } }],
    })),
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}
