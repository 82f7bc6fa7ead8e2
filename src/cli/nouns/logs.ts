import { addList } from '../commands/logs/list/index.ts'
import { exchangeInWords } from '../commands/logs/tell.ts'
import type { NounCommands } from '../generate/noun.ts'

export const commands: NounCommands<'logs'> = {
  group: 'watching',
  verbs: {
    // `sandbox logs` itself lists.
    list: { skip: true },
    show: {
      args: { id: { describe: 'X-Request-Id of the request, or its position in the log' } },
      forPeople: exchangeInWords,
      examples: ['sandbox logs show req_…', 'sandbox logs show 42'],
    },
    clear: {
      forPeople: ({ cleared }, paint) => `${paint.green('✓')} ${cleared} requests were removed from the log`,
    },
  },
  handWritten: [addList],
}
