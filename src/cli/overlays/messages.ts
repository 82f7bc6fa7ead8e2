import type { Overlay } from '../overlay.ts'

export const messages: Record<string, Overlay> = {
  // `sandbox send` says it in flags of its own.
  'messages.send': { skip: true },
  'messages.list': { columns: ['id', 'status', 'channel', 'to', 'message_type', 'created_at'] },
}
