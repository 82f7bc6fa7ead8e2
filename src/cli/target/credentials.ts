import { Refusal } from '../../client/call.ts'
import { isPublicKey, namespaceOfApiKey } from '../../words/api-key.ts'
import { namespaceOfControlToken } from '../../words/control-token.ts'
import { type CallingSession, callOperation } from './call-operation.ts'
import type { Endpoint } from './endpoint.ts'

type Session = CallingSession & { endpoint: Endpoint }

/** What the service thinks of the key and of the control token, which open different routes. */
export interface Credentials {
  key_accepted: boolean | null
  /** Together with the key. Null at a service without a control plane, and where no token is known. */
  token_accepted: boolean | null
  error?: string
  hint?: string
  /** How far incomplete credentials go. */
  note?: string
}

/** Makes the smallest possible read with the key, and in a sandbox another one with the token. */
export async function credentialsOf(session: Session): Promise<Credentials> {
  const key = await refusalOf(() => callOperation(session, 'messages.list', { payload: { limit: 1 } }))
  if (key && isForeign(key)) throw key
  const control = (await session.endpoint.isEmulator()) ? await controlPlaneOf(session) : {}
  const { token_accepted = null } = control
  if (token_accepted === true && !control.error && isUnauthorized(key) && isPublicKey(session.endpoint.apiKey))
    return { key_accepted: null, token_accepted, note: withoutKey(session) }
  const key_accepted = key === undefined ? true : isUnauthorized(key) ? false : null
  return { key_accepted, token_accepted, ...(key ? { error: key.message } : control) }
}

/** What is wrong with the control token, for commands whose result would hide it; undefined if nothing is. */
export async function controlTokenFault(session: Session): Promise<{ error: string; hint?: string } | undefined> {
  const { endpoint } = session
  if (endpoint.controlToken === undefined || !(await endpoint.isEmulator())) return undefined
  const { error, hint } = await controlPlaneOf(session)
  return error === undefined ? undefined : { error, ...(hint ? { hint } : {}) }
}

/** The sandbox checks the token first, so a refusal of the key accepts the token. */
async function controlPlaneOf(session: Session): Promise<Partial<Credentials>> {
  const { controlToken, controlTokenFrom: from, apiKey } = session.endpoint
  const refusal = await refusalOf(() => callOperation(session, 'clock.show', { isLookup: true }))
  if (refusal?.code === 'control_token_required')
    return controlToken === undefined
      ? { note: `The control plane is closed: no control token is known. ${ASK}` }
      : { token_accepted: false, error: `The sandbox refuses the control token of ${from}.`, hint: ASK }
  if (controlToken === undefined) return {}
  if (!isUnauthorized(refusal)) return { token_accepted: refusal === undefined ? true : null }
  const [ofKey, ofToken] = [namespaceOfApiKey(apiKey), namespaceOfControlToken(controlToken)]
  if (ofToken === undefined || ofKey === ofToken) return { token_accepted: true }
  return {
    token_accepted: false,
    error: `The key is of the namespace ${ofKey ?? '(none)'}, and the control token of ${from} is of ${ofToken}. The control plane refuses them together.`,
    hint: 'Use the key and the token of one namespace; "sandbox namespaces create" prints both.',
  }
}

const ASK =
  'Ask the administrator of a shared sandbox, who runs "sandbox namespaces ensure <name>"; any other sandbox prints its token when it starts.'

/** A shared sandbox opens its control plane to a token alone. */
function withoutKey({ endpoint: { apiKey, controlToken = '' } }: Session): string {
  const namespace = namespaceOfApiKey(apiKey)
  return namespaceOfControlToken(controlToken) === undefined
    ? `The admin token opens the control plane of ${namespace} without a key. Commands of /v1 need the key of a namespace: "sandbox namespaces create <name>" prints one.`
    : `The token opens the control plane of ${namespace} without a key. Commands of /v1 need its key in SANDBOX_API_KEY.`
}

/** Every service has this route, and its refusals have a code (interface §7). */
export const isForeign = (refusal: Refusal) =>
  refusal.status === 404 || (refusal.status === 400 && refusal.code === 'http_400')

const isUnauthorized = (refusal: Refusal | undefined) => refusal?.status === 401 || refusal?.status === 403

async function refusalOf(call: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
