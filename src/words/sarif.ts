import { VERSION } from './version.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** A log in SARIF 2.1.0, which code hosts show beside the file. */
export function sarifOf(tool: string, rules: readonly object[], results: readonly object[]): string {
  const runs = [{ tool: { driver: { name: tool, version: VERSION, rules } }, results }]
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs }, null, 2)}\n`
}
