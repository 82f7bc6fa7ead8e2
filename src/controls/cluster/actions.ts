import { problem } from '../../words/problem.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type * as contract from './contract.ts'

const requireCluster = ({ host: { cluster } }: World) => {
  if (!cluster) throw problem('no_cluster')
  return cluster
}

export const status: AsyncAction<typeof contract.showStatus> = async (world) => {
  const { nodes, namespaces } = await requireCluster(world).status()
  return {
    nodes: nodes.map(({ name, url, isLive, isDraining, worlds }) => ({
      ...{ name, url },
      state: isLive ? (isDraining ? ('draining' as const) : ('running' as const)) : ('lost' as const),
      namespaces: worlds,
    })),
    namespaces: [...namespaces],
  }
}

export const move: AsyncAction<typeof contract.moveNamespace> = async (world, { params: { name }, body: { to } }) => {
  await requireCluster(world).askToMove(name, to)
  return { namespace: name, node: to }
}

export const drain: AsyncAction<typeof contract.drainNode> = async (world, { params: { name } }) => ({
  node: name,
  moved: await requireCluster(world).askToDrain(name),
})
