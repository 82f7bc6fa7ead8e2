import type { Form, PerturbationKind, Schedule } from '../../scenarios/deliveries.ts'
import { problem } from '../../words/problem.ts'
import type { Application } from './application.ts'
import type { ExploreOptions } from './options.ts'

type Levers = Pick<Application, 'handler' | 'restart' | 'rotate' | 'kill' | 'terminate'>

/** Whether a kind of disturbance is wanted, and the application has the levers for it. */
export const isPossibleWith =
  (application: Levers & Pick<ExploreOptions, 'disturbances'>) =>
  (kind: PerturbationKind, form?: Form): boolean => {
    const { handler, restart, rotate: newSecret, kill, terminate, disturbances } = application
    if (disturbances && !disturbances.includes(kind)) return false
    if (kind === 'restart' && form && terminate === undefined) return false
    if (kind === 'connection') return typeof handler !== 'function'
    if (kind === 'restart') return restart !== undefined
    if (kind === 'kill') return kill !== undefined && restart !== undefined
    return kind !== 'rotation' || newSecret !== undefined
  }

const LEVERS: Readonly<Partial<Record<PerturbationKind, string>>> = {
  restart: '"start" or "restart"',
  kill: '"start"',
  rotation: '"rotate"',
  connection: 'a URL as "handler"',
}

/** Refuses a saved schedule, or that of a seed, whose lever is missing now. An orderly restart may be any. */
export function requireLevers({ handler, restart, rotate, kill }: Levers, schedule: Schedule | undefined) {
  const isPossible = isPossibleWith({ handler, restart, rotate, kill })
  const missing = schedule?.perturbations.find(({ kind }) => !isPossible(kind))
  if (missing)
    throw problem(
      'validation_error',
      `The schedule contains a ${missing.kind}, which needs ${LEVERS[missing.kind]}: an option of the command or of explore().`,
    )
}
