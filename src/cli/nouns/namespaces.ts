import type { NounCommands } from '../generate/noun.ts'
import { aligned } from '../output/columns.ts'
import { resetSummary } from './world/reset-summary.ts'

const namespace = { describe: 'name of the namespace: what follows sk_sandbox_ in its key' }

export const commands: NounCommands<'namespaces'> = {
  verbs: {
    list: {
      examples: ['sandbox namespaces list'],
      forPeople:
        ({ namespaces, max_namespaces }) =>
        (paint) =>
          [
            ...aligned(
              namespaces.map(({ name, state, clock, next_due_at }) => [
                name,
                state,
                clock ? `${clock.now} (${clock.mode})` : '–',
                next_due_at ? `next ${next_due_at}` : 'nothing pending',
              ]),
              paint,
            ),
            paint.dim(`${namespaces.length} of at most ${max_namespaces}`),
          ].join('\n'),
    },
    delete: {
      examples: ['sandbox namespaces delete suite-1'],
      args: { name: namespace },
      forPeople:
        ({ name }) =>
        (paint) =>
          `${paint.green('✓')} namespace ${paint.bold(name)} is deleted`,
    },
    reset: {
      effect: 'destroys',
      args: { name: namespace },
      positional: ['scope'],
      examples: ['sandbox namespaces reset suite-1', 'sandbox namespaces reset suite-1 messages'],
      forPeople: resetSummary,
    },
  },
}
