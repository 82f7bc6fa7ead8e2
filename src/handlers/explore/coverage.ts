import type { Phase } from './plan.ts'

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
  pairs: Share
  random: number
  summary: string
}

export class Tally {
  readonly #played: Record<Phase, number> = { plain: 0, single: 0, history: 0, idle: 0, pair: 0, random: 0 }
  readonly #possible: Record<Phase, number> = { plain: 0, single: 0, history: 0, idle: 0, pair: 0, random: 0 }
  readonly #flows = new Set<string>()

  expect(phase: Phase, count: number) {
    this.#possible[phase] += count
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
    pairs.of > 0 ? `${share(pairs)} pairs` : '',
    random > 0 ? `${number(random)} random` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

const number = (n: number) => n.toLocaleString('en')
