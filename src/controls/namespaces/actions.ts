import { problem } from '../../words/problem.ts'
import { suggest } from '../../words/suggest.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { resetScope } from '../../world/reset.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { reading } from '../clock/actions.ts'
import type { deleteNamespace, listNamespaces, resetNamespace } from './contract.ts'

/** Calls without a key use this one. */
const DEFAULT_NAMESPACE = 'default'

export const list: Action<typeof listNamespaces> = ({ host }) => ({
  namespaces: host.all().map(toAnswer),
  max_namespaces: host.limits.most,
  max_open: host.limits.open,
})

/** Answers for an evicted world without opening it. */
function toAnswer(world: World) {
  const summary = summaryOf(world)
  return {
    name: world.namespace,
    state: stateOf(world),
    clock: summary ? { ...summary.pace, now: isoTime(summary.now) } : null,
    next_due_at: isoTimeOrNull(summary?.nextDueAt ?? null),
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

const remove: AsyncAction<typeof deleteNamespace> = async ({ host }, { params: { name } }) => {
  if (name === DEFAULT_NAMESPACE) throw problem('default_namespace')
  await host.remove(requireNamespace(host.all(), name))
  return { name, deleted: true }
}

export const reset: AsyncAction<typeof resetNamespace> = async ({ host }, { params: { name }, body: { scope } }) => {
  const world = requireNamespace(host.all(), name)
  await resetScope(world, scope)
  return { namespace: name, scope, clock: reading(world) }
}

function requireNamespace(worlds: readonly World[], name: string): World {
  const world = worlds.find(({ namespace }) => namespace === name)
  if (world) return world
  const hint = suggest(
    name,
    worlds.map(({ namespace }) => namespace),
  )
  throw problem('not_found', `There is no namespace ${name}${hint || '; sandbox namespaces list shows all.'}`)
}

export { remove as delete }
