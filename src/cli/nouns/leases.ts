import type { NounCommands } from '../generate/noun.ts'

const columns = ['id', 'kind', 'address', 'name', 'contact_id', 'expires_at']
const id = { describe: 'id of the lease: lse_…' }

export const commands: NounCommands<'leases'> = {
  group: 'testing',
  verbs: {
    take: {
      positional: ['kind'],
      done: '{address} leased as {id}',
      examples: ['sandbox leases take phone --consent', 'sandbox leases take email --name "sign-up" --expires-in 5m'],
    },
    list: { columns, examples: ['sandbox leases list'] },
    show: { args: { id }, examples: ['sandbox leases show <id>'] },
    messages: {
      args: { id },
      columns: ['id', 'direction', 'status', 'to', 'created_at'],
      examples: ['sandbox leases messages <id>'],
    },
    release: { args: { id }, done: '{address} released', examples: ['sandbox leases release <id>'] },
    clear: {
      examples: ['sandbox leases clear'],
      forPeople: ({ released }, paint) =>
        `${paint.green('✓')} ${released === 1 ? '1 lease' : `${released} leases`} released`,
    },
  },
}
