import { kinds, type Perturbation, type PerturbationKind, type Schedule } from '../../scenarios/deliveries.ts'
import { seededNumber } from '../../world/random.ts'

/** A planned delivery. */
export interface PlannedDelivery {
  event: number
  attempt: number
  /** The perturbation, for the story. */
  how: 'plain' | 'again' | 'late' | 'lost' | 'behind 503' | 'overlapping' | 'unusual' | 'forged' | 'old secret'
  /** Retries a badly answered delivery. */
  isRetry?: boolean
  restartsAfter?: boolean
  rotatesBefore?: boolean
}

interface Placed extends PlannedDelivery {
  place: number
}

export function planOf({ events, perturbations }: Schedule): PlannedDelivery[] {
  const placed: Placed[] = events.map((event, place) => ({ event, place, attempt: 1, how: 'plain' }))
  for (const perturbation of perturbations) {
    const of = placed.find(({ event }) => event === perturbation.event)
    if (of) apply[perturbation.kind](of, placed, (perturbation.after ?? 0) + 0.5)
  }
  return placed.toSorted((a, b) => a.place - b.place).map(({ place: _, ...planned }) => planned)
}

type Apply = (of: Placed, placed: Placed[], after: number) => void

const apply: Readonly<Record<PerturbationKind, Apply>> = {
  duplicate: (of, placed) => void placed.push({ event: of.event, place: of.place + 0.1, attempt: 1, how: 'again' }),
  replay: (of, placed, after) =>
    void placed.push({ event: of.event, place: of.place + after, attempt: 1, how: 'again' }),
  delay: (of, _, after) => Object.assign(of, { place: of.place + after, how: 'late' }),
  'lost-answer'(of, placed, after) {
    of.how = 'lost'
    placed.push({ event: of.event, place: of.place + after, attempt: 2, how: 'again' })
  },
  unavailable: (of, _, after) => Object.assign(of, { place: of.place + after, attempt: 2, how: 'behind 503' }),
  timeout: (of) => Object.assign(of, { how: 'overlapping' }),
  spelling: (of) => Object.assign(of, { how: 'unusual' }),
  forgery: (of, placed) => void placed.push({ event: of.event, place: of.place + 0.05, attempt: 1, how: 'forged' }),
  restart: (of) => Object.assign(of, { restartsAfter: true }),
  rotation(of, placed) {
    of.rotatesBefore = true
    placed.push({ event: of.event, place: of.place + 0.05, attempt: 1, how: 'old secret' })
  },
}

const MAX_PERTURBATIONS = 3
const MAX_AFTER = 3

/** The n-th schedule of a seed: the first has no perturbations, later ones more and more. */
export function drawSchedule(
  seed: string,
  n: number,
  events: readonly number[],
  among: readonly PerturbationKind[],
): Schedule {
  const draw = (what: string, below: number) => Math.floor(seededNumber(seed, `${n} ${what}`) * below)
  const count =
    n === 0 || events.length === 0 ? 0 : 1 + draw('count', Math.min(MAX_PERTURBATIONS, 1 + Math.floor(n / 4)))
  const perturbations = Array.from({ length: count }, (_, i): Perturbation => {
    const kind = among[draw(`${i} kind`, among.length)]!
    const event = events[draw(`${i} event`, events.length)]!
    const places = 1 + draw(`${i} after`, MAX_AFTER)
    return 'after' in kinds[kind].shape ? { kind, event, after: places } : { kind, event }
  })
  return { events, perturbations }
}
