import { sign } from '../../http/signature.ts'
import { sleep } from '../../http/sleep.ts'
import type { Attempt } from '../../relay/forward.ts'
import { redactThese } from '../../words/redact.ts'
import { machineSecret } from '../../world/machine-secret.ts'
import { machineNow } from '../../world/machine-time.ts'
import {
  type HandlerTarget,
  isAccepted,
  post,
  postBesideStalled,
  postHalf,
  postInPieces,
  requireConnection,
  type WebhookPost,
} from '../post.ts'
import { answerChecks } from './answers.checks.ts'
import type { Check, CheckOutcome, CheckTools, Group } from './check.ts'
import { eventChecks } from './events.checks.ts'
import { loadChecks } from './load.checks.ts'
import { type SampleEvent, samplesOf } from './samples.ts'
import { signatureChecks } from './signature.checks.ts'
import { toleranceChecks } from './tolerance.checks.ts'

/** All checks in their order: those that may kill a handler come last. */
export const checks: readonly Check[] = [
  ...eventChecks,
  ...signatureChecks,
  ...answerChecks,
  ...toleranceChecks,
  ...loadChecks,
]

export interface Result extends CheckOutcome {
  check: string
  group: Group
  claim: string
  why: string
  remedy: string
  docs: string
}

/** The documentation of a check; events share one place. */
export const docsOf = ({ name, group }: Pick<Check, 'name' | 'group'>) =>
  `docs/handlers.md#${group === 'events' && name !== preflight.name ? 'accepts' : name}`

export interface Verification {
  receiver: HandlerTarget
  oldSecret?: string | undefined
  /** All by default. */
  checks?: readonly Check[] | undefined
  onResult?: ((result: Result) => void) | undefined
}

/** Runs the checks in order. Throws `Unreachable` where nothing listens at the beginning. */
export async function verifyHandler({
  receiver,
  oldSecret,
  checks: chosen = checks,
  onResult,
}: Verification): Promise<Result[]> {
  const line = { isDown: false }
  const tools = toolsOf(receiver, oldSecret, line)
  const secrets = [receiver.secret, ...(oldSecret === undefined ? [] : [oldSecret])]
  const results: Result[] = []
  const report = (check: Omit<Check, 'run'>, { outcome, sent, received }: CheckOutcome) => {
    const { name, group, claim, why, remedy } = check
    const of = { check: name, group, outcome, claim }
    // A handler may answer with its own secret.
    const result = { ...of, sent, received: redactThese(received, secrets), why, remedy, docs: docsOf(check) }
    results.push(result)
    onResult?.(result)
  }
  const skip = (left: readonly Check[], received: string) => {
    for (const check of left) report(check, { outcome: 'skipped', sent: '', received })
  }
  const refused = await refusalOfAll(tools, receiver.url)
  if (refused) {
    report(preflight, refused)
    skip(chosen, 'not run: every signed event is refused')
    return results
  }
  line.isDown = false
  for (const [i, check] of chosen.entries()) {
    const outcome = await check.run(tools)
    if (!line.isDown || (await isBack(tools, line))) {
      report(check, outcome)
      continue
    }
    const since = i === 0 ? 'the first event' : `check ${chosen[i - 1]!.name}`
    report(
      { ...check, ...ENDED },
      {
        ...outcome,
        outcome: 'failed',
        received: `nothing listens any more: the handler ended after ${since}`,
      },
    )
    skip(chosen.slice(i + 1), `not run: nothing listens since ${check.name}`)
    break
  }
  return results
}

const ENDED = {
  why: 'A handler that has ended receives no event until it is started again.',
  remedy: 'Read the last lines that the handler printed: it ended while it processed this event.',
}

/**
 * Failures that say nothing new: a handler that accepts no signature and a wrong one verifies none, so it accepts all
 * forgeries.
 */
export function repetitionsIn(results: readonly Result[]): ReadonlySet<Result> {
  const failed = results.filter(({ group, outcome }) => group === 'signature' && outcome === 'failed')
  const isFailed = (name: string) => failed.some(({ check }) => check === name)
  if (!isFailed('signature-missing') || !isFailed(WRONG)) return new Set()
  return new Set(failed.filter(({ check, claim }) => check !== WRONG && claim.startsWith('Refuses ')))
}

/** The check that stands for all forgeries. */
export const WRONG = 'signature-wrong'

/** Comes first: a handler that refuses everything has one fault, not one for each check. */
export const preflight: Omit<Check, 'run'> = {
  name: 'preflight',
  group: 'events',
  claim: 'Accepts a correctly signed event',
  why: 'A handler that refuses every event receives nothing, and its other answers have no meaning.',
  remedy:
    'Pass the secret of the handler (--secret or SANDBOX_WEBHOOK_SECRET), and the headers that a gateway requires (--header). After 5xx or no answer, read its log.',
}

const FIRST_EVENTS = ['webhook.test', 'message.delivered', 'contact.created'] as const

/** Posts three events; the refusal, if none is accepted and all have the same answer. */
async function refusalOfAll(tools: CheckTools, url: URL): Promise<CheckOutcome | undefined> {
  let first: Attempt | undefined
  for (const event of FIRST_EVENTS) {
    const answer = await tools.post(tools.samples.event(event))
    if (!first) requireConnection(url, answer)
    if (isAccepted(answer) || (first && answer.status !== first.status)) return undefined
    first ??= answer
  }
  return {
    outcome: 'failed',
    sent: `${FIRST_EVENTS.join(', ')}, each with a correct signature`,
    received: `${answerInWords(first!)} to each: ${causeOf(first!.status)}`,
  }
}

function answerInWords({ status, error, answer }: Attempt): string {
  if (status === null) return `no answer (${error})`
  return status >= 500 && answer !== '' ? `${status} (${answer.slice(0, SHOWN_CHARACTERS)})` : `${status}`
}

const SHOWN_CHARACTERS = 200

function causeOf(status: number | null): string {
  if (status === 401 || status === 403) return 'wrong secret, or a header is missing?'
  return status !== null && status >= 500 ? 'what does the handler log?' : 'is this the webhook handler?'
}

/** A process manager may have started it again. */
async function isBack(tools: CheckTools, line: { isDown: boolean }): Promise<boolean> {
  for (let i = 0; i < RESTART_LOOKS; i++) {
    await sleep(RESTART_MS)
    line.isDown = false
    await tools.post(tools.samples.event('webhook.test'))
    if (!line.isDown) return true
  }
  return false
}

const RESTART_LOOKS = 5
const RESTART_MS = 100

function toolsOf(receiver: HandlerTarget, oldSecret: string | undefined, line: { isDown: boolean }): CheckTools {
  const posted = ({ id, body }: SampleEvent): WebhookPost => ({ eventId: id, body })
  const noted = (answer: Attempt) => {
    line.isDown ||= answer.isDown
    return answer
  }
  return {
    // New ids, because a handler remembers those of earlier runs.
    samples: samplesOf(machineSecret(''), machineNow()),
    timeoutMs: receiver.timeoutMs,
    oldSecret,
    sign: (body, secret = receiver.secret) => sign(secret, body),
    post: async (event, how) => noted(await post(receiver, { ...posted(event), ...how })),
    postHalf: async (event) => noted(await postHalf(receiver, posted(event))),
    postInPieces: async (event, meanwhile) => noted(await postInPieces(receiver, posted(event), meanwhile)),
    postBesideStalled: async (stalled, event) =>
      noted(await postBesideStalled(receiver, posted(stalled), posted(event))),
  }
}
