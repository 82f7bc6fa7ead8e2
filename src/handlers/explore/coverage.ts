import { withCommas } from '../../words/number-text.ts'
import { type Phase, phaseNames } from './plan.ts'

interface Share {
  played: number
  of: number
}

/** The field of each phase that is counted against all of its schedules. */
const FIELDS = {
  single_disturbances: 'single',
  /** Repetitions after a long history. */
  histories: 'history',
  /** Repetitions after a pause in machine time. */
  pauses: 'idle',
  /** The same after thousands of other events. */
  last: 'long',
  /** The same happens to a crowd at once. */
  crowds: 'crowd',
  /** Calls of the application fail. */
  failed_calls: 'failed-call',
  /** All events of a flow arrive days later, after an outage. */
  outages: 'outage',
  /** Each event of a flow is disturbed in its own way. */
  covering: 'covering',
  /** An event that arrives before all others of its flow. */
  overtaking: 'overtaking',
  /** Disturbances of one event or of two. */
  pairs: 'pair',
} as const satisfies Record<string, Phase>

type Shares = { [Field in keyof typeof FIELDS]: Share }

/** Number of played schedules and flows, of all. */
export interface Coverage extends Shares {
  flows: Share
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

  /** Of all flows, `saved` are scenarios with a schedule. `isOne` if a seed or a test has asked for one schedule. */
  coverage(flows: number, saved = 0, isOne = false): Coverage {
    const shares = Object.fromEntries(
      Object.entries(FIELDS).map(([field, phase]) => [
        field,
        { played: this.#played[phase], of: this.#possible[phase] },
      ]),
    ) as Shares
    const counts = { flows: { played: this.#flows.size, of: flows }, ...shares, random: this.#played.random }
    return { ...counts, summary: isOne ? 'this schedule' : summaryOf(counts, saved === flows) }
  }
}

/** `all 728 single disturbances of 9 flows, 412 of 1,900 pairs, 500 random` */
function summaryOf(
  { flows, single_disturbances: singles, pairs, random, ...others }: Omit<Coverage, 'summary'>,
  isSaved: boolean,
) {
  const share = ({ played, of }: Share) =>
    played > 0 && played === of ? `all ${withCommas(of)}` : `${withCommas(played)} of ${withCommas(of)}`
  const ofFlows = flows.of === 1 && flows.played === 1 ? 'one flow' : `${share(flows)} flows`
  const parts = [
    singles.of > 0
      ? `${share(singles)} single disturbances of ${ofFlows.replace('all ', '')}`
      : isSaved
        ? flows.of === 1
          ? 'the saved schedule'
          : `${share(flows)} saved schedules`
        : `${ofFlows} undisturbed`,
    others.covering.played > 0 ? `${share(others.covering)} schedules with many disturbances` : '',
    others.histories.played > 0 ? 'repetitions after a long history' : '',
    others.pauses.played > 0 ? 'repetitions after a minute' : '',
    others.overtaking.played > 0 ? `${share(others.overtaking)} events before all others` : '',
    others.last.played > 0 ? 'repetitions after thousands of events' : '',
    others.crowds.played > 0 ? 'crowds' : '',
    others.failed_calls.played > 0 ? 'failed calls' : '',
    others.outages.played > 0 ? 'replays after an outage' : '',
    pairs.of > 0 ? `${share(pairs)} pairs` : '',
    random > 0 ? `${withCommas(random)} random` : '',
  ]
  return parts.filter(Boolean).join(', ')
}
