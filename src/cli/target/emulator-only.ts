import { type ClientOptions, call, type OperationInfo, resultOf, type Sender } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { CHALLENGE_HEADER, isProof, newChallenge, PROOF_HEADER } from '../../http/folder-proof.ts'
import { jsonOr } from '../../words/json.ts'
import { Lazy } from '../../words/lazy.ts'
import { placeOf } from '../../words/operation.ts'
import { uncapitalised } from '../../words/sentence.ts'
import { misconfigured } from '../process/exit.ts'
import { type FolderClaim, untrusted } from './folder-claim.ts'

/**
 * Finds out whether a sandbox answers at an address, without sending the key. A sandbox found by the claim of a
 * folder must prove that it owns the folder, otherwise the probe throws.
 */
export function emulatorProbe(
  { baseUrl, timeoutMs, network }: ClientOptions,
  sendAny: Sender,
  signal: AbortSignal,
  claim?: FolderClaim,
) {
  const challenge = claim && newChallenge()
  const send = challenge === undefined ? sendAny : withChallenge(challenge, sendAny)
  const probe = new Lazy(async () => {
    const answer = await call({ baseUrl, timeoutMs, network, send }, operations.world.health, {}, undefined, {
      signal,
      isUnchecked: true,
    })
    if (claim && !isProof(claim.secret, challenge!, answer.headers[PROOF_HEADER]))
      throw untrusted(claim.file, `names ${baseUrl}, and what answers there does not prove that it uses this folder`)
    const body = jsonOr(answer.body.toString(), undefined) as Record<string, unknown> | undefined
    // The probe asks without a key, so about the first namespace; other namespaces may be sound.
    if (body?.error === 'world_damaged') return true
    // Refusals of a sandbox that is stopping, or that does not know the host name, are thrown unchanged.
    if (answer.status >= 500 || body?.error === 'host_not_allowed') resultOf(answer)
    return answer.status === 200 && body?.status === 'ok'
  })
  return () => probe.load()
}

const withChallenge =
  (challenge: string, send: Sender): Sender =>
  ({ request, ...call }) =>
    send({ ...call, request: { ...request, headers: { ...request.headers, [CHALLENGE_HEADER]: challenge } } })

export const isControlCall = ({ path }: Pick<OperationInfo, 'path'>) => /^\/_sandbox(\/|$)/.test(path)

/** Refuses calls under /_sandbox where no sandbox answers. */
export const restrictControlCalls =
  (baseUrl: string, isEmulator: () => Promise<boolean>) =>
  (send: Sender): Sender =>
  async (one) => {
    await requireSandbox({ baseUrl, isEmulator }, one.operation)
    return send(one)
  }

/** Refuses a control operation before its arguments are looked up at a service that does not have it. */
export async function requireSandbox(
  { baseUrl, isEmulator }: { baseUrl: string; isEmulator(): Promise<boolean> },
  operation: OperationInfo,
) {
  if (isControlCall(operation) && !(await isEmulator())) throw noEmulator(baseUrl, whatHas(operation))
}

const EVENT_LOG = 'has an event log to follow'

/** Operations that read or repeat the event log; other operations of its noun have a replacement of their own. */
const OF_EVENT_LOG = ['list', 'stream', 'cursor', 'moveCursor', 'show', 'deliveries', 'replay']

function whatHas(operation: OperationInfo): string {
  const { noun, verb } = placeOf(operation)
  if (noun === 'events' && OF_EVENT_LOG.includes(verb)) return EVENT_LOG
  return `can do this: ${uncapitalised(operation.summary)}`
}

const INSTEAD =
  'A service posts events to registered endpoints. With a tunnel: sandbox listen --public-url <URL>; without: sandbox listen --poll; to your own server: sandbox webhooks create --url <https URL> --events "message.*"'
const START_ONE = 'Nothing was sent. Start a sandbox with "sandbox start", or name one with --base-url.'

const noEmulator = (baseUrl: string, has = EVENT_LOG) =>
  misconfigured(`${baseUrl} is not a sandbox, and only a sandbox ${has}.`, has === EVENT_LOG ? INSTEAD : START_ONE)

/** Refuses a service without an event log before a stream is opened. A stranger is not sent the key. */
export async function requireEventLog({ endpoint }: { endpoint: Parameters<typeof requireSandbox>[0] }) {
  if (!(await endpoint.isEmulator())) throw noEmulator(endpoint.baseUrl)
}
