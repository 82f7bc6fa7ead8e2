import { DEFAULT_AGENT, DEFAULT_CHANNEL } from '../../words/worlds.ts'

const rcs = {
  agent_id: DEFAULT_AGENT,
  to: '+491713920050',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
} as const
const channel_id = DEFAULT_CHANNEL
const chip = { reply: { text: 'Yes', postback_data: 'eWVz' } }
const card = {
  title: 'A',
  description: 'B',
  media: { url: 'http://127.0.0.1:9/a.png', height: 'TALL' as const },
  suggestions: [chip],
}

const nameAnd = (more: Record<string, string | number>): Record<string, string | number> => ({ name: 'Ada', ...more })

/** A send of each kind, as the default world accepts it. */
export const sends = [
  { ...rcs, content: { text: 'Hello', suggestions: [chip] } },
  { ...rcs, to: '+491713920030', content: { text: 'Hello' }, ttl: '60s' },
  {
    ...rcs,
    message_type: 'NEWSLETTER' as const,
    traffic_type: 'PROMOTION' as const,
    content: { rich_card: { carousel: { card_width: 'SMALL' as const, cards: [card, card] } } },
  },
  {
    ...rcs,
    message_type: 'CONVERSATION' as const,
    content: { rich_card: { standalone: { orientation: 'VERTICAL' as const, content: card } } },
  },
  { ...rcs, template_id: 'tpl_00000000-0000-4000-8000-000000000002', template_data: nameAnd({ eta: 'noon' }) },
  { channel_id, to: 'delivered@sandbox.test', subject: 'Hello', content: { html: '<p>Hello</p>', text: 'Hello' } },
  {
    channel_id,
    to: 'new@sandbox.test',
    template_id: 'tpl_00000000-0000-4000-8000-000000000001',
    template_data: nameAnd({ order_id: 7 }),
  },
]
