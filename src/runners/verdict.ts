import type { Client } from '../client/client.ts'
import { withoutRepeatedPlan } from '../evidence/explained-steps.ts'
import { settleFrozen } from '../library/settle.ts'
import { REST_IN_TEST_MS, until } from '../waiting/until.ts'
import { nextInWords } from './next-in-words.ts'
import { testOf } from './suite.ts'

/** The result of a matcher, in the form of all runners. */
export interface Verdict {
  pass: boolean
  message: () => string
}

/** The runner's context of a matcher. */
export interface MatcherContext {
  /** True after `.not`. */
  isNot?: boolean | undefined
}

/** Time limit of matchers. */
const WITHIN_MS = 30_000
/** Interval on the machine's clock, ms. */
const LOOK_EVERY_MS = 10

/** Something has been found, or is certain not to come. */
export type Look<Found> = () => Promise<{ found: Found } | { lost: true } | undefined>

/**
 * Polls until the expectation holds, or cannot hold any more. It waits for work that is due now on any clock, and
 * for later work on a running clock, except with `.not`.
 */
export async function sought<Found>(
  client: Client,
  { isNot }: MatcherContext,
  look: Look<Found>,
): Promise<Found | undefined> {
  const withinMs = isNot ? 0 : WITHIN_MS
  const clock = () => client.clock.show()
  await settleFrozen(client)
  const ending = testOf(client)?.calls.ending
  const outcome = await until<{ found: Found } | { lost: true }>(
    { withinMs, clock, everyMs: LOOK_EVERY_MS, restMs: REST_IN_TEST_MS },
    async () => (await look()) ?? (ending?.aborted ? { lost: true } : undefined),
  )
  return 'found' in outcome && 'found' in outcome.found ? outcome.found.found : undefined
}

/** The reason not to wait longer, and how to move time. */
export async function whatIsDue({ clock }: Client): Promise<string> {
  return nextInWords(await clock.show())
}

/** The steps of a message, each with its strongest reason, the plan with all of its own, and what is next. */
export async function historyOf({ messages, clock }: Client, id: string): Promise<string[]> {
  const { steps, near_misses, next } = await messages.explain(id)
  const reading = await clock.show()
  return [
    ...withoutRepeatedPlan(steps).map(({ at, what, because }) => {
      const reasons = what === 'planned' ? because : because.slice(0, 1)
      return `  ${at}  ${[what, reasons.map(({ says }) => says).join('; ')].filter(Boolean).join(': ')}`
    }),
    ...near_misses.slice(0, 1).map(({ says }) => `  Nearest rule: ${says}`),
    next ? nextInWords({ ...reading, next_due_at: next.at }, next.what) : 'No further step is scheduled for it.',
  ]
}
