import { DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { durationMs } from '../../words/duration.ts'
import { requireFileName } from '../../words/file-name.schema.ts'
import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { Fence } from '../../world/fence.ts'
import type { AsyncAction, Call, Caller } from '../../world/noun.ts'
import { resetScope } from '../../world/reset.ts'
import type { Tenant } from '../../world/tenants/registry.ts'
import type { Issued, Tenants, TenantTerms } from '../../world/tenants/tenants.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { reading } from '../clock/actions.ts'
import type {
  createNamespace,
  deleteNamespace,
  ensureNamespace,
  listNamespaces,
  resetNamespace,
  revokeNamespace,
  rotateNamespace,
} from './contract.ts'

export const list: AsyncAction<typeof listNamespaces> = async ({ host }, { caller }) => {
  const tenants = new Map((await host.tenants?.registry.list())?.map((tenant) => [tenant.namespace, tenant]))
  const nodes = new Map((await host.elsewhere()).map(({ name, node }) => [name, node]))
  const worlds = new Map(host.all().map((world) => [world.namespace, world]))
  const names = [...new Set([...worlds.keys(), ...nodes.keys(), ...tenants.keys()])]
  return {
    namespaces: names
      .filter((name) => isVisible(name, caller))
      .sort()
      .map((name) => ({
        ...toAnswer(name, worlds.get(name), tenants.get(name)),
        ...(host.cluster && placeOf(host.cluster.node, worlds.has(name), nodes.get(name) ?? null)),
      })),
    max_namespaces: host.limits.most,
    max_open: host.limits.open,
  }
}

/** In a shared sandbox, the holder of a token sees one namespace. */
const isVisible = (namespace: string, { tenant }: Caller) => tenant === undefined || tenant === namespace

/** The location of a world. Only the node that answers for it knows its clock. */
const placeOf = (self: string, isHere: boolean, node: string | null) =>
  isHere ? { node: self } : { node, ...(node !== null && { state: 'elsewhere' as const }) }

/** Answers for an evicted world without opening it. A namespace without a world gets one with its first request. */
function toAnswer(name: string, world: World | undefined, tenant: Tenant | undefined) {
  const summary = world && summaryOf(world)
  return {
    name,
    state: world ? stateOf(world) : ('asleep' as const),
    clock: summary ? { ...summary.pace, now: isoTime(summary.now) } : null,
    next_due_at: isoTimeOrNull(summary?.nextDueAt ?? null),
    ...(tenant && {
      tenant: {
        keys: tenant.keys,
        tokens: tenant.tokens,
        created_at: isoTime(tenant.createdAt),
        storage_bytes: world && summary ? summary.bytes + world.host.snapshotsOf(world).bytes : null,
        ...termsOf(tenant),
      },
    }),
  }
}

/** Reading the summary may reveal that the file is damaged. */
function summaryOf({ lifecycle }: World) {
  try {
    return lifecycle.summary()
  } catch (error) {
    if (lifecycle.isDamaged) return undefined
    throw error
  }
}

const stateOf = ({ lifecycle }: World) =>
  lifecycle.isDamaged ? ('damaged' as const) : lifecycle.isEvicted ? ('asleep' as const) : ('open' as const)

export const create: AsyncAction<typeof createNamespace> = async (world, { params, body }) =>
  toIssued(await tenantsOf(world).create(requireFileName(params.name), termsIn(body), fenceOf(world)))

export const ensure: AsyncAction<typeof ensureNamespace> = async (world, { params, body }) => {
  const issued = await tenantsOf(world).ensure(requireFileName(params.name), termsIn(body), fenceOf(world))
  return new Reply({ ...toIssued(issued), created: issued.isNew }, { status: issued.isNew ? 201 : 200 })
}

export const rotate: AsyncAction<typeof rotateNamespace> = async (world, { params: { name }, caller }) => {
  const tenants = tenantsOf(world)
  if (!isVisible(name, caller)) throw unknownNamespace(name)
  return toIssued(await tenants.rotate(name, fenceOf(world)))
}

export const revoke: AsyncAction<typeof revokeNamespace> = async (world, { params: { name } }) => {
  const { keys, tokens } = await tenantsOf(world).revoke(name, fenceOf(world))
  return { namespace: name, revoked_keys: keys, revoked_tokens: tokens }
}

const remove: AsyncAction<typeof deleteNamespace> = async (world, { params: { name }, caller }) => {
  if (name === DEFAULT_NAMESPACE) throw problem('default_namespace')
  const { host } = world
  const fence = fenceOf(world)
  if (await host.tenants?.registry.get(name)) await host.tenants!.delete(name, fence)
  else {
    await host.bring(name)
    await host.remove(requireNamespace(host.all(), name, caller), fence)
  }
  return { name, deleted: true }
}

export const reset: AsyncAction<typeof resetNamespace> = async (
  { host },
  { params: { name }, body: { scope }, caller },
) => {
  if (isVisible(name, caller)) await host.bring(name)
  const world = requireNamespace(host.all(), name, caller)
  await resetScope(world, scope)
  return { namespace: name, scope, clock: reading(world) }
}

function requireNamespace(worlds: readonly World[], name: string, caller: Caller): World {
  const world = worlds.find(({ namespace }) => namespace === name)
  if (world && isVisible(name, caller)) return world
  throw unknownNamespace(name)
}

/** Another tenant's namespace and one that does not exist have the same refusal. */
const unknownNamespace = (name: string) =>
  problem('not_found', `There is no namespace ${name}; sandbox namespaces list shows all.`)

function tenantsOf({ host }: World): Tenants {
  if (!host.tenants) throw problem('sandbox_not_shared')
  return host.tenants
}

/** In a cluster, another node may answer for the world of a call before the call ends; its repetition is made there. */
function fenceOf({ host, namespace, lifecycle }: World): Fence | undefined {
  if (lifecycle.end) throw lifecycle.end
  return host.cluster?.fenceOf(namespace)
}

/** A limit that is not given is unchanged. */
function termsIn({
  ttl,
  max_messages,
  max_storage_bytes,
  max_sends_per_minute,
}: Call<typeof createNamespace>['body']): TenantTerms {
  return {
    ttlMs: ttl === undefined ? undefined : durationMs(ttl),
    limits: {
      ...(max_messages === undefined ? {} : { messages: max_messages }),
      ...(max_storage_bytes === undefined ? {} : { storageBytes: max_storage_bytes }),
      ...(max_sends_per_minute === undefined ? {} : { sendsPerMinute: max_sends_per_minute }),
    },
  }
}

const toIssued = ({ tenant, key, token, tokenId }: Issued) => ({
  namespace: tenant.namespace,
  api_key: key,
  control_token: token,
  token_id: tokenId,
  ...termsOf(tenant),
})

const termsOf = ({ expiresAt, limits }: Tenant) => ({
  expires_at: isoTimeOrNull(expiresAt),
  max_messages: limits.messages,
  max_storage_bytes: limits.storageBytes,
  max_sends_per_minute: limits.sendsPerMinute,
})

export { remove as delete }
