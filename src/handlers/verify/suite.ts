import { sign } from '../../http/signature.ts'
import { REDACTED, redactSecrets } from '../../words/redact.ts'
import { machineSecret } from '../../world/machine-secret.ts'
import { machineNow } from '../../world/machine-time.ts'
import { type HandlerTarget, post, postCut, unreachable } from '../post.ts'
import { answerChecks } from './answers.checks.ts'
import type { Check, CheckOutcome, CheckTools, Group } from './check.ts'
import { eventChecks } from './events.checks.ts'
import { loadChecks } from './load.checks.ts'
import { samplesOf } from './samples.ts'
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
  `docs/handlers.md#${group === 'events' ? 'accepts' : name}`

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
  const tools = toolsOf(receiver, oldSecret)
  const first = await tools.post(tools.samples.event('webhook.test'))
  if (first.isDown) throw unreachable(receiver.url, first)
  const secrets = [receiver.secret, ...(oldSecret === undefined ? [] : [oldSecret])]
  const results: Result[] = []
  for (const check of chosen) {
    const { outcome, sent, received } = await check.run(tools)
    const { name, group, claim, why, remedy } = check
    const of = { check: name, group, outcome, claim }
    const result = { ...of, sent, received: withoutSecrets(received, secrets), why, remedy, docs: docsOf(check) }
    results.push(result)
    onResult?.(result)
  }
  return results
}

function toolsOf(receiver: HandlerTarget, oldSecret: string | undefined): CheckTools {
  return {
    // New ids, because a handler remembers those of earlier runs.
    samples: samplesOf(machineSecret(''), machineNow()),
    timeoutMs: receiver.timeoutMs,
    oldSecret,
    sign: (body, secret = receiver.secret) => sign(secret, body),
    post: ({ id, body }, how) => post(receiver, { eventId: id, body, ...how }),
    postCut: ({ id, body }, cut) => postCut(receiver, { eventId: id, body }, cut),
  }
}

/** A handler may answer with its own secret. */
const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets.reduce((redacted, secret) => redacted.replaceAll(secret, REDACTED), redactSecrets(text))
