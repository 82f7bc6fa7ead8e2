import type { Drift } from '../../../scenarios/drift/compare.ts'
import type { Answers, Comparison } from '../../../scenarios/drift/run.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'

export function inWords(
  { compared, differences, left_out }: Comparison,
  { service }: RecordedRun,
  paint: Paint,
): string {
  const lines = [...Map.groupBy(differences, ({ operation, section }) => `${operation} (§${section})`)].flatMap(
    ([operation, found]) => [paint.bold(operation), ...found.map((one) => `  ${lineOf(one)}`)],
  )
  const left = left_out.length > 0 ? paint.dim(`, ${left_out.length} could not be asked of both`) : ''
  const count = differences.length === 1 ? 'one difference' : `${differences.length} differences`
  const sum = differences.length === 0 ? `${paint.green('✓')} no difference` : `${paint.red('✗')} ${count}`
  return [...lines, `${sum} between ${service} and the emulator in ${compared} answers${left}`].join('\n')
}

const lineOf = ({ probe, what, path, emulator, service }: Drift) =>
  printable(`${probe}: ${path ? `${what} ${path}` : what} is ${service} there, and ${emulator} here`)

/** A recorded run. */
export interface RecordedRun {
  service: string
  live: boolean
  sends: boolean
  /** Its name, where one was asked too. */
  scenario?: string | null
  answers: Answers
}
