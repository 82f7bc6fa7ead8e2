import type { NounCommands } from '../generate/noun.ts'
import { aligned } from '../output/columns.ts'

export const commands: NounCommands<'cluster'> = {
  verbs: {
    status: {
      forPeople: ({ nodes, namespaces }, paint) =>
        [
          ...aligned(
            nodes.map((node) => [node.name, node.state, node.url, `${node.namespaces} namespaces`]),
            paint,
          ),
          '',
          ...aligned(
            namespaces.map(({ name, node }) => [name, node ?? 'on no node']),
            paint,
          ),
        ].join('\n'),
    },
    move: {
      args: { name: { describe: 'name of the namespace' } },
      examples: ['sandbox cluster move suite-1 --to node-2'],
      forPeople: ({ namespace, node }, paint) => `${paint.green('✓')} namespace ${paint.bold(namespace)} is on ${node}`,
    },
    drain: {
      args: { name: { describe: 'name of the node' } },
      examples: ['sandbox cluster drain node-2'],
      forPeople: ({ node, moved }, paint) =>
        `${paint.green('✓')} ${paint.bold(node)} is drained: ${moved} namespaces moved`,
    },
  },
}
