import { RULES } from '../../../display/lint.ts'
import type { LintFinding } from '../../../display/mail/finding.ts'
import { VERSION } from '../../../words/version.ts'

/** The findings in SARIF 2.1.0, which code hosts show beside the file. */
export function sarifOf(file: string, findings: readonly LintFinding[]): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))].map((id) => ({
    id,
    shortDescription: { text: id },
    fullDescription: { text: RULES[id]?.source ?? id },
  }))
  const results = findings.map(({ rule, level, message }) => ({
    ruleId: rule,
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 1 } } }],
  }))
  const driver = { name: 'messaging-sandbox lint', version: VERSION, rules }
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results }],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
