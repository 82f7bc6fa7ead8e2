import type { Overlay } from '../overlay.ts'

const phone = { describe: 'phone number in international format' }

export const handset: Record<string, Overlay> = {
  'handset.reply': { args: { phone }, positional: ['text'], flags: { agent_id: '--agent' } },
  'handset.tap': { args: { phone }, flags: { message_id: '--message' } },
  'inbox.show': { args: { address: { describe: 'phone number or email address' } } },
}
