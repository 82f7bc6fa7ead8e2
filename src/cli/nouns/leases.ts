import { quantity } from '../../words/number-text.ts'
import type { NounCommands } from '../generate/noun.ts'

const columns = ['id', 'kind', 'address', 'name', 'contact_id', 'expires_at']

export const commands: NounCommands<'leases'> = {
  args: { id: { describe: 'id of the lease: lse_…' } },
  group: 'testing',
  verbs: {
    take: {
      positional: ['kind'],
      done: '{address} leased as {id}; the lease expires by the clock of the machine',
      examples: ['sandbox leases take phone --consent', 'sandbox leases take email --name "sign-up" --expires-in 5m'],
    },
    list: { columns },
    messages: {
      columns: ['id', 'direction', 'status', 'to', 'created_at'],
    },
    release: { done: '{address} released' },
    clear: {
      forPeople: ({ released }, paint) => `${paint.green('✓')} ${quantity(released, 'leases')} released`,
    },
  },
}
