import { FINDINGS } from '../../src/display/handset/findings.ts'
import { code, table } from './table.ts'

/** Lists the differences between a request and its display on a phone. */
export const findingTable = (): string =>
  table(
    ['Code', 'What it is', 'What is shown', 'Source'],
    Object.entries(FINDINGS).map(([name, { weight, says, source }]) => [code(name), weight, says, source]),
  )
