import { type Phase, phaseNames } from './plan.ts'

interface Share {
  played: number
  of: number
}

/** Number of played schedules and flows, of all. */
export interface Coverage {
  flows: Share
  single_disturbances: Share
  /** Repetitions after a long history. */
  histories: Share
  /** Repetitions after a pause in machine time. */
  pauses: Share
  /** Repetitions at the end, after all other schedules. */
  last: Share
  /** The same happens to a crowd at once. */
  crowds: Share
  /** Calls of the application fail. */
  failed_calls: Share
  /** An event that arrives before all others of its flow. */
  overtaking: Share
  /** Disturbances of one event or of two. */
  pairs: Share
  random: number
  summary: string
}

const none = () => Object.fromEntries(phaseNames.map((phase) => [phase, 0])) as Record<Phase, number>

export class Tally {
  readonly #played = none()
  readonly #possible = none()
  readonly #flows = new Set<string>()

  expect(phase: Phase, count: number) {
    this.#possible[phase] = count
  }

  count(phase: Phase, flow: string) {
    this.#played[phase]++
    this.#flows.add(flow)
  }

  coverage(flows: number): Coverage {
    const of = (phase: Phase): Share => ({ played: this.#played[phase], of: this.#possible[phase] })
    const shares = {
      flows: { played: this.#flows.size, of: flows },
      single_disturbances: of('single'),
      histories: of('history'),
      pauses: of('idle'),
      last: of('long'),
      crowds: of('crowd'),
      failed_calls: of('failed-call'),
      overtaking: of('overtaking'),
      pairs: of('pair'),
      random: this.#played.random,
    }
    return { ...shares, summary: summaryOf(shares) }
  }
}

/** `all 728 single disturbances of 9 flows, 412 of 1,900 pairs, 500 random` */
function summaryOf({
  flows,
  single_disturbances: singles,
  histories,
  pauses,
  last,
  crowds,
  failed_calls: failedCalls,
  overtaking,
  pairs,
  random,
}: Omit<Coverage, 'summary'>) {
  const share = ({ played, of }: Share) =>
    played > 0 && played === of ? `all ${number(of)}` : `${number(played)} of ${number(of)}`
  const parts = [
    singles.of > 0
      ? `${share(singles)} single disturbances of ${share(flows).replace('all ', '')} flows`
      : `${share(flows)} flows undisturbed`,
    histories.played > 0 ? 'repetitions after a long history' : '',
    pauses.played > 0 ? 'repetitions after a minute' : '',
    overtaking.played > 0 ? `${share(overtaking)} events before all others` : '',
    last.played > 0 ? 'repetitions at the end' : '',
    crowds.played > 0 ? 'crowds' : '',
    failedCalls.played > 0 ? 'failed calls' : '',
    pairs.of > 0 ? `${share(pairs)} pairs` : '',
    random > 0 ? `${number(random)} random` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

const number = (n: number) => n.toLocaleString('en')
