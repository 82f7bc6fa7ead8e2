import type { Drift } from '../../../scenarios/drift/compare.ts'
import type { Answers, Comparison } from '../../../scenarios/drift/run.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'

export function inWords(
  { service, compared, differences, left_out }: Comparison & Pick<RecordedRun, 'service'>,
  paint: Paint,
): string {
  const { common, others } = grouped(differences)
  const lines = [
    ...common.map(([first, ...more]) => `In ${more.length + 1} of ${compared} answers: ${differenceOf(first!)}`),
    ...[...Map.groupBy(others, ({ operation, section }) => `${operation} (§${section})`)].flatMap(
      ([operation, found]) => [paint.bold(operation), ...found.map((one) => `  ${lineOf(one)}`)],
    ),
  ]
  const left =
    left_out.length > 0
      ? paint.dim(
          `, ${left_out.length} could not be compared, because one side has no such record: ${printable(left_out.join('; '))}`,
        )
      : ''
  const count = differences.length === 1 ? 'one difference' : `${differences.length} differences`
  const sum = differences.length === 0 ? `${paint.green('✓')} no difference` : `${paint.red('✗')} ${count}`
  return [...lines, `${sum} between ${service} and the emulator in ${compared} answers${left}`].join('\n')
}

/** A difference that appears in more answers has one cause, such as a gateway, and is shown once. */
const COMMON = 5

function grouped(differences: readonly Drift[]) {
  const groups = [...Map.groupBy(differences, differenceOf).values()]
  return {
    common: groups.filter(({ length }) => length >= COMMON),
    others: groups.filter(({ length }) => length < COMMON).flat(),
  }
}

const differenceOf = ({ what, path, emulator, service }: Drift) =>
  printable(`${path ? `${what} ${path}` : what}: ${service} at the service, ${emulator} in the emulator`)

const lineOf = (one: Drift) => `${printable(one.probe)}: ${differenceOf(one)}`

/** A recorded run. */
export interface RecordedRun {
  service: string
  live: boolean
  sends: boolean
  /** Name of the scenario, if one was compared. */
  scenario?: string | null
  answers: Answers
}
