import type { Overlay } from '../overlay.ts'

const flags = { events: '--event' }

export const webhooks: Record<string, Overlay> = {
  'webhooks.create': {
    flags,
    examples: ['sandbox webhooks create --url http://localhost:3000/hook --event "message.*" --event consent.updated'],
  },
  'webhooks.update': { flags, examples: ['sandbox webhooks update <id> --rotate-secret'] },
  'webhooks.list': { columns: ['id', 'url', 'events', 'status'] },
  'events.list': { columns: ['seq', 'event', 'timestamp', 'id'] },
  'events.replay': { flags: { endpoint_id: '--endpoint' } },
}
