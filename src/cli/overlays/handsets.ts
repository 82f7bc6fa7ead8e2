import type { Overlay } from '../overlay.ts'

const phone = { describe: 'phone number in international format' }

export const handsets: Record<string, Overlay> = {
  'handsets.reply': { args: { phone }, positional: ['text'], flags: { agent_id: '--agent' } },
  'handsets.tap': { args: { phone }, flags: { message_id: '--message' } },
  'inbox.show': { args: { address: { describe: 'phone number or email address' } } },
}
