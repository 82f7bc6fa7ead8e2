import { type ClientOptions, call, type OperationInfo, resultOf, type Sender } from '../../client/call.ts'
import { newKey } from '../../client/idempotency-key.ts'
import { operations } from '../../client/operations.ts'
import { CHALLENGE_HEADER, isProof, PROOF_HEADER } from '../../http/folder-proof.ts'
import { jsonOr } from '../../words/json.ts'
import { misconfigured } from '../process/exit.ts'
import { type FolderClaim, untrusted } from './folder-claim.ts'

/**
 * Finds out whether a sandbox answers at an address, without sending the key. One that was found by the claim of a folder
 * must prove it, else the probe throws.
 */
export function emulatorProbe(
  { baseUrl, timeoutMs, network }: ClientOptions,
  sendAny: Sender,
  signal: AbortSignal,
  claim?: FolderClaim,
) {
  const challenge = claim && newKey()
  const send = challenge === undefined ? sendAny : withHeader(CHALLENGE_HEADER, challenge)(sendAny)
  let asked: Promise<boolean> | undefined
  const ask = async () => {
    const answer = await call({ baseUrl, timeoutMs, network, send }, operations.world.health, {}, undefined, {
      signal,
      isUnchecked: true,
    })
    if (claim && !isProof(claim.secret, challenge!, answer.headers[PROOF_HEADER]))
      throw untrusted(claim.file, `names ${baseUrl}, and what answers there does not prove that it uses this folder`)
    const said = jsonOr(answer.body.toString(), undefined) as Record<string, unknown> | undefined
    // The probe asks without a key, so about the first namespace; other namespaces may be sound.
    if (said?.error === 'world_damaged') return true
    // Refusals of a sandbox that is stopping, or that does not know the host name, are thrown as they are.
    if (answer.status >= 500 || said?.error === 'host_not_allowed') resultOf(answer)
    return answer.status === 200 && said?.status === 'ok'
  }
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

const withHeader =
  (name: string, value: string) =>
  (send: Sender): Sender =>
  ({ request, ...call }) =>
    send({ ...call, request: { ...request, headers: { ...request.headers, [name]: value } } })

export const isControlCall = ({ path }: Pick<OperationInfo, 'path'>) => /^\/_sandbox(\/|$)/.test(path)

/** Refuses calls under /_sandbox where no sandbox answers. */
export const restrictControlCalls =
  (baseUrl: string, isEmulator: () => Promise<boolean>) =>
  (send: Sender): Sender =>
  async (one) => {
    if (isControlCall(one.operation) && !(await isEmulator())) throw noEmulator(baseUrl, whatHas(one.operation))
    return send(one)
  }

const EVENT_LOG = 'has an event log to follow'

const whatHas = ({ id, method, path }: OperationInfo) =>
  id.startsWith('events.') ? EVENT_LOG : `has ${method.toUpperCase()} ${path}`

const INSTEAD =
  'A service posts to registered endpoints. Through a tunnel: sandbox listen --public-url <URL>; without one: sandbox listen --poll; to a server of yours: sandbox webhooks create --url <https URL> --events "message.*"'
const START_ONE = 'Nothing was sent. Start a sandbox with "sandbox start", or name it with --base-url.'

export const noEmulator = (baseUrl: string, has = EVENT_LOG) =>
  misconfigured(`${baseUrl} is no sandbox, and only a sandbox ${has}.`, has === EVENT_LOG ? INSTEAD : START_ONE)
