import type { IncomingMessage } from 'node:http'
import { DEFAULT_NAMESPACE, isPublicKey, namespaceOfApiKey } from '../../words/api-key.ts'
import { CONTROL_TOKEN_HEADER } from '../../words/control-token.ts'
import { namespaceOfLink, namespaceOfToken } from '../../words/link.ts'
import { Problem, problem } from '../../words/problem.ts'
import { strayRequestId } from '../../world/ids.ts'
import type { CredentialHolder } from '../../world/tenants/registry.ts'
import type { Tenants } from '../../world/tenants/tenants.ts'
import type { World } from '../../world/world.ts'
import {
  type AdmissionOptions,
  type AdmissionTarget,
  type Admit,
  type AdmittedRequest,
  countCall,
  countStranger,
  type Identity,
  isObserver,
  isServiceCall,
  pathOf,
} from '../admission.ts'
import { controlTokenProblem } from '../guard.ts'
import { bearerOf } from '../keys.ts'
import { requestedNamespace } from '../namespace.ts'
import { checkStorage, countSend } from './limits.ts'

interface IdentityOptions extends Pick<AdmissionOptions, 'worlds'> {
  tenants: Tenants
  /** Compares in constant time. */
  isAdminToken: (input: unknown) => boolean
}

export type TenantAdmissionOptions = AdmissionOptions & IdentityOptions

/**
 * Admits the holders of secret keys and tokens. Whatever is wrong with a key (unknown, expired, revoked, of another
 * namespace than the one asked for), the refusal is the same, so that nobody learns which namespaces exist.
 */
export function tenantAdmission(options: TenantAdmissionOptions): Admit {
  const { worlds, guard, limits } = options
  return async (req, target, head, place) => {
    if (!isServiceCall(req)) {
      guard.checkHost(req)
      guard.checkControl(req, target)
      const world = enter(await callerOfControl(options, req, target), target)
      checkStorage(world, req, target)
      return world
    }
    let world: World
    try {
      guard.checkHost(req)
      world = enter(await callerOfService(options, req))
    } catch (error) {
      countStranger(limits, target.band, head)
      throw error
    }
    countCall(options, req, world, target.band, head)
    if (target.band === 'send' && !isObserver(req)) countSend(limits, req.identity!, head)
    checkStorage(world, req, target)
    return world

    function enter(caller: Identity, { isOfProcess, access }: Partial<AdmissionTarget> = {}): World {
      req.identity = caller
      const world = isOfProcess ? worlds.ofProcess : worlds.get(caller.namespace)
      // The ids of a world would show those who guess links whether they have found its namespace.
      head['X-Request-Id'] = access === 'link' ? strayRequestId() : world.ids.nextRequest()
      return place.in(world)
    }
  }
}

async function callerOfService(options: IdentityOptions, req: AdmittedRequest): Promise<Identity> {
  const { token, key } = credentialsOf(req, false)
  const caller = token === undefined ? undefined : await callerByToken(options, token)
  if (token !== undefined && !caller) throw unauthorized()
  if (key === undefined) throw unauthorized()
  return within(options, req, await withKey(options, key, caller))
}

/**
 * The namespace that a request is about, for the choice of the node that answers; undefined if its credentials are
 * not valid. It is admitted there, by the same credentials.
 */
export async function namespaceOfCall(options: IdentityOptions, req: AdmittedRequest): Promise<string | undefined> {
  try {
    if (isServiceCall(req)) return (await callerOfService(options, req)).namespace
    const linked = namespaceOfLink(pathOf(req))
    if (linked !== undefined) return (await callerByLink(options, linked)).namespace
    const { token, key } = credentialsOf(req, true)
    if (token === undefined && key === undefined) return DEFAULT_NAMESPACE
    return (await callerOfControl(options, req, { id: '', band: 'other', access: 'anyone' })).namespace
  } catch (error) {
    if (error instanceof Problem && error.status === 503) throw error
    return undefined
  }
}

/** The caller of the control plane. A refusal still leaves in the request whose it is, for the audit log. */
export async function callerOfControl(
  options: IdentityOptions,
  req: AdmittedRequest,
  { access }: AdmissionTarget,
): Promise<Identity> {
  if (access === 'link') return callerByLink(options, namespaceOfToken(String(req.params?.token)))
  const { token, key } = credentialsOf(req, true)
  const isOpen = access === 'anyone'
  if (isOpen && token === undefined && key === undefined) return anyone
  const caller = token === undefined ? undefined : await callerByToken(options, token)
  if (!caller && !(isOpen && token === undefined)) throw controlTokenProblem(token)
  req.identity = caller
  const admitted = await within(options, req, key === undefined ? caller! : await withKey(options, key, caller))
  if (access === 'admin' && admitted.tenant !== undefined) throw problem('admin_token_required')
  if (access === 'unshared') throw problem('sandbox_is_shared')
  return admitted
}

/** Pages and probes concern no namespace. */
const anyone: Identity = { actor: 'anyone', tenant: DEFAULT_NAMESPACE, namespace: DEFAULT_NAMESPACE }

/** Scrapers of metrics send a token as a Bearer credential, because they can send no other header. */
function credentialsOf({ headers }: IncomingMessage, mayBeToken: boolean): { token?: unknown; key?: string } {
  const bearer = bearerOf(headers.authorization)
  const token = headers[CONTROL_TOKEN_HEADER]
  if (mayBeToken && token === undefined && bearer !== undefined && !bearer.startsWith('sk_')) return { token: bearer }
  return { ...(token === undefined ? {} : { token }), ...(bearer === undefined ? {} : { key: bearer }) }
}

async function callerByToken(
  { tenants, isAdminToken }: IdentityOptions,
  token: unknown,
): Promise<Identity | undefined> {
  if (isAdminToken(token)) return { actor: 'admin', tenant: undefined, namespace: DEFAULT_NAMESPACE }
  const holder = typeof token === 'string' ? await tenants.find(token) : undefined
  return holder?.kind === 'token' ? callerOf(holder) : undefined
}

/**
 * A link names its namespace, and its token proves itself in the world. Credentials beside it do not count: their
 * refusal would show which namespaces exist.
 */
async function callerByLink({ tenants }: IdentityOptions, namespace: string | undefined): Promise<Identity> {
  if (namespace === undefined || !(await tenants.registry.get(namespace))) return anyone
  return { ...anyone, tenant: namespace, namespace }
}

const callerOf = (holder: CredentialHolder): Identity => ({
  actor: holder.credentialId,
  tenant: holder.namespace,
  namespace: holder.namespace,
  limits: holder.limits,
})

/** With a token, `sk_sandbox_<name>` names a namespace as in any sandbox: the token is the proof. */
async function withKey(options: IdentityOptions, key: string, caller: Identity | undefined): Promise<Identity> {
  const holder = await options.tenants.find(key)
  if (holder?.kind === 'key') {
    if (!caller) return callerOf(holder)
    return inNamespace(options, caller, holder.namespace)
  }
  const name = caller && isPublicKey(key) ? namespaceOfApiKey(key) : undefined
  if (name === undefined) throw unauthorized()
  return inNamespace(options, caller!, name)
}

/** Applies the namespace of the URL or the baggage. */
function within(options: IdentityOptions, req: AdmittedRequest, caller: Identity): Promise<Identity> {
  const requested = requestedNamespace(req)
  return requested === undefined ? Promise.resolve(caller) : inNamespace(options, caller, requested)
}

async function inNamespace(
  { tenants, worlds }: IdentityOptions,
  caller: Identity,
  namespace: string,
): Promise<Identity> {
  if (caller.namespace === namespace) return caller
  if (caller.tenant !== undefined) throw unauthorized()
  if (!worlds.has(namespace) && !(await tenants.registry.get(namespace)))
    throw problem('unauthorized', `There is no namespace ${namespace}. Create it with "sandbox namespaces create".`)
  return { ...caller, namespace }
}

const unauthorized = () =>
  problem(
    'unauthorized',
    'The API key is missing, unknown, expired or revoked, or belongs to another namespace. Send "Authorization: Bearer sk_sandbox_<namespace>_<secret>"; the administrator creates keys with "sandbox namespaces create".',
  )
