import type { Overlay } from '../overlay.ts'

export const webhooks: Record<string, Overlay> = {
  'webhooks.create': {
    examples: ['sandbox webhooks create --url http://localhost:3000/hook --events "message.*,consent.updated"'],
  },
  'webhooks.update': { examples: ['sandbox webhooks update <id> --rotate-secret'] },
  'webhooks.list': { columns: ['id', 'url', 'events', 'status'] },
}
