import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { operation } from '../../words/operation.ts'
import { Name as Namespace } from '../world/contract.ts'

export const about: About = {
  name: 'cluster',
  group: 'Emulator',
  summary: 'Show the nodes of a cluster, move namespaces and drain nodes',
}

const NodeName = z.string().describe('Name of the node, from --node.')

const ClusterNode = z.strictObject({
  name: NodeName,
  url: z.string().describe('URL by which other nodes reach the node.'),
  state: z
    .enum(['running', 'draining', 'lost'])
    .describe('State of the node. draining: it gives its namespaces away; lost: its lease is over.'),
  namespaces: z.int().describe('Number of namespaces that the node answers for.'),
})

export const showStatus = operation({
  id: 'cluster.status',
  summary: 'Show the nodes of the cluster and their namespaces',
  call: 'GET /_sandbox/cluster',
  access: 'admin',
  output: z.strictObject({
    nodes: z.array(ClusterNode).describe('Nodes in order of their names.'),
    namespaces: z
      .array(
        z.strictObject({
          name: Namespace,
          node: NodeName.nullable().describe(
            'Name of the node that answers for it; null if none does, until its next request or scheduled work.',
          ),
        }),
      )
      .describe('Namespaces in order of their names.'),
  }),
  problems: ['no_cluster'],
})

export const moveNamespace = operation({
  id: 'cluster.move',
  summary: 'Move a namespace to another node',
  details: 'Requests wait during the move. Event streams end and may continue at the new node.',
  call: 'POST /_sandbox/cluster/namespaces/{name}/move',
  access: 'admin',
  params: { name: z.string().min(1).describe('Name of the namespace.').meta({ example: 'default' }) },
  body: z.strictObject({ to: NodeName.min(1) }).meta({ example: { to: 'node-2' } }),
  output: z.strictObject({ namespace: Namespace, node: NodeName }),
  problems: ['no_cluster', 'not_found'],
})

export const drainNode = operation({
  id: 'cluster.drain',
  summary: 'Move all namespaces away from a node',
  details: 'The node forwards requests until it is stopped, and takes no namespace. A restart ends this.',
  call: 'POST /_sandbox/cluster/nodes/{name}/drain',
  access: 'admin',
  params: { name: z.string().min(1).describe('Name of the node.').meta({ example: 'node-2' }) },
  output: z.strictObject({
    node: NodeName,
    moved: z.int().describe('Number of namespaces that the node answered for.'),
  }),
  problems: ['no_cluster', 'not_found'],
})
