import type { NounCommands } from '../noun.ts'

export const commands: NounCommands<'webhooks'> = {
  verbs: {
    create: {
      examples: ['sandbox webhooks create --url http://localhost:3000/hook --events "message.*,consent.updated"'],
    },
    update: { examples: ['sandbox webhooks update <id> --rotate-secret'] },
    list: { columns: ['id', 'url', 'events', 'status'] },
  },
}
