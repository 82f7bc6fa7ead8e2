import type { PerturbationKind, Schedule } from '../../scenarios/deliveries.ts'
import { problem } from '../../words/problem.ts'
import type { Application } from './application.ts'
import type { ExploreOptions } from './options.ts'

type Levers = Pick<Application, 'restart' | 'rotate' | 'kill'>

/** Whether a kind of disturbance is wanted, and the application has the levers for it. */
export const isPossibleWith =
  ({ restart, rotate: newSecret, kill, disturbances }: Levers & Pick<ExploreOptions, 'disturbances'>) =>
  (kind: PerturbationKind): boolean => {
    if (disturbances && !disturbances.includes(kind)) return false
    if (kind === 'restart') return restart !== undefined
    if (kind === 'kill') return kill !== undefined && restart !== undefined
    return kind !== 'rotation' || newSecret !== undefined
  }

const LEVERS: Readonly<Partial<Record<PerturbationKind, string>>> = {
  restart: '"start" or "restart"',
  kill: '"start"',
  rotation: '"rotate"',
}

/** Refuses a saved schedule, or that of a seed, whose lever is missing now. */
export function requireLevers({ restart, rotate, kill }: Levers, schedule: Schedule | undefined) {
  const isPossible = isPossibleWith({ restart, rotate, kill })
  const missing = schedule?.perturbations.find(({ kind }) => !isPossible(kind))
  if (missing)
    throw problem(
      'validation_error',
      `The schedule contains a ${missing.kind}, which needs ${LEVERS[missing.kind]}: an option of the command or of explore().`,
    )
}
