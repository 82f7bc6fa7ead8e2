import { FINDINGS } from '../../src/inspector/handset/findings.ts'
import { code, table } from './table.ts'

/** Everything that a phone shows differently from the request. */
export const findingTable = (): string =>
  table(
    ['Code', 'What it is', 'What is shown', 'Source'],
    Object.entries(FINDINGS).map(([name, { weight, says, source }]) => [code(name), weight, says, source]),
  )
