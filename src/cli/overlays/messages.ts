import { messageArgument } from '../last-sent.ts'
import type { Overlay } from '../overlay.ts'

export const messages: Record<string, Overlay> = {
  // `sandbox send` says it in flags of its own.
  'messages.send': { skip: true },
  'messages.get': { args: { id: messageArgument }, examples: ['sandbox messages get last'] },
  'messages.revoke': { args: { id: messageArgument } },
  'messages.list': { columns: ['id', 'status', 'channel', 'to', 'message_type', 'created_at'] },
}
