import type { Answer, Cut, Posted } from '../post.ts'
import type { SampleEvent, Samples } from './samples.ts'

/** What a check has to work with. */
export interface Probe {
  readonly samples: Samples
  /** How long the handler may take, in ms; 0 without end. */
  readonly timeoutMs: number
  /** The secret before the last rotation, where the user told it. */
  readonly oldSecret: string | undefined
  sign(body: string, secret?: string): string
  /** Posts an event signed right, or otherwise as said. */
  post(event: SampleEvent, how?: Partial<Posted>): Promise<Answer>
  /** Posts it in two pieces. */
  postCut(event: SampleEvent, cut: Cut): Promise<Answer>
}

export type Outcome = 'passed' | 'failed' | 'skipped'

/** What came of a check: what was sent and what came back, in words. */
export interface Found {
  outcome: Outcome
  sent: string
  received: string
}

export const groups = ['events', 'signature', 'answers', 'tolerance', 'load'] as const
export type Group = (typeof groups)[number]

export interface Check {
  /** Names the check on the command line, in reports and in docs/handlers.md. */
  readonly name: string
  readonly group: Group
  /** What holds of a handler that passes. */
  readonly claim: string
  /** What goes wrong in production where it does not. */
  readonly why: string
  /** How it is mended. */
  readonly remedy: string
  run(probe: Probe): Promise<Found>
}

/** How much of an answer is shown. */
const EXCERPT = 300

/** `200 in 12 ms`, or why nothing came. */
export const inWords = ({ status, durationMs, error, answer }: Answer): string =>
  status === null
    ? `no answer: ${error}`
    : `${status} in ${durationMs} ms${status >= 400 && answer ? `: ${answer.slice(0, EXCERPT)}` : ''}`

/** Passes when all of the answers are as demanded; tells the first that is not, else the last. */
export function judged(sent: string, answers: readonly Answer[], isRight: (answer: Answer) => boolean): Found {
  const wrong = answers.find((answer) => !isRight(answer))
  return { outcome: wrong ? 'failed' : 'passed', sent, received: inWords(wrong ?? answers.at(-1)!) }
}
