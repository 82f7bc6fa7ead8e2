import type { NounCommands } from '../generate/noun.ts'

export const commands: NounCommands<'audit'> = {
  verbs: {
    list: {
      columns: ['at', 'actor', 'namespace', 'operation', 'status'],
      examples: ['sandbox audit list', 'sandbox audit list --namespace team-a --limit 20'],
    },
  },
}
