import type { Attempt } from '../../relay/forward.ts'
import type { WebhookPost } from '../post.ts'
import type { SampleEvent, Samples } from './samples.ts'

/** The tools of a check. */
export interface CheckTools {
  readonly samples: Samples
  /** Time limit of the handler in ms; 0 means none. */
  readonly timeoutMs: number
  /** The secret before the last rotation, if given. */
  readonly oldSecret: string | undefined
  sign(body: string, secret?: string): string
  /** Posts a correctly signed event, or one with deviations. */
  post(event: SampleEvent, how?: Partial<WebhookPost>): Promise<Attempt>
  /** Closes the connection in the middle of the body of an event. */
  postHalf(event: SampleEvent): Promise<Attempt>
  /** Posts an event in two pieces, cut inside a character. */
  postInPieces(event: SampleEvent, meanwhile: () => Promise<unknown>): Promise<Attempt>
  /** Posts an event while half of another one is in progress. */
  postBesideStalled(stalled: SampleEvent, event: SampleEvent): Promise<Attempt>
}

export type CheckVerdict = 'passed' | 'failed' | 'skipped'

/** The outcome of a check, with what was sent and received. */
export interface CheckOutcome {
  outcome: CheckVerdict
  sent: string
  received: string
}

export const groups = ['events', 'signature', 'answers', 'tolerance', 'load'] as const
export type Group = (typeof groups)[number]

export interface Check {
  /** The name on the command line, in reports and in docs/handlers.md. */
  readonly name: string
  readonly group: Group
  /** The property of a passing handler. */
  readonly claim: string
  /** The damage in production otherwise. */
  readonly why: string
  /** The fix. */
  readonly remedy: string
  run(tools: CheckTools): Promise<CheckOutcome>
}

/** Characters shown of an answer. */
const EXCERPT = 300

/** `200 in 12 ms`, or the reason of a missing answer. */
export const inWords = ({ status, durationMs, error, answer }: Attempt): string =>
  status === null
    ? `no answer: ${error}`
    : `${status} in ${durationMs} ms${status >= 400 && answer ? `: ${answer.slice(0, EXCERPT)}` : ''}`

/** Passes if all answers are as required; reports the first that is not, or the last answer. */
export function judgeAnswers(
  sent: string,
  answers: readonly Attempt[],
  isRight: (answer: Attempt) => boolean,
): CheckOutcome {
  const wrong = answers.find((answer) => !isRight(answer))
  return { outcome: wrong ? 'failed' : 'passed', sent, received: inWords(wrong ?? answers.at(-1)!) }
}
