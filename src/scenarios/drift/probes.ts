/** A call that is made to both sides. */
export interface Probe {
  name: string
  operation: string
  /** Variables set before the call. */
  set?: Readonly<Record<string, unknown>>
  /** `$agent` and other variables are resolved for each side. */
  with?: Readonly<Record<string, unknown>>
  /** Variables for later probes, by path in the answer; missing paths are skipped. */
  save?: Readonly<Record<string, string>>
  /** Fields whose values must equal variables of earlier probes, by path in the answer. */
  repeats?: Readonly<Record<string, string>>
  /** Replaces the API key. */
  apiKey?: string
  idempotencyKey?: string
  /** Made only where writing is allowed; a `refusal` changes nothing, a `send` is a real message. */
  live?: 'refusal' | 'send'
}

const GONE = '00000000-0000-4000-8000-0000000fffff'
const gone = (prefix: string) => `${prefix}${GONE}`

/** Reads of existing and missing records. */
const READS: readonly Probe[] = [
  {
    name: 'a list',
    operation: 'messages.list',
    with: { limit: 1 },
    save: { message: 'messages[0].id', contact: 'messages[0].contact_id', agent_seen: 'messages[0].agent_id' },
  },
  { name: 'a page of none', operation: 'messages.list', with: { limit: 0 } },
  { name: 'a cursor that nobody gave', operation: 'messages.list', with: { cursor: 'nowhere' } },
  { name: 'a filter that there is not', operation: 'messages.list', with: { no_such_filter: 'x' } },
  { name: 'a campaign without messages', operation: 'messages.list', with: { campaign_id: GONE } },
  { name: 'without a key', operation: 'messages.list', apiKey: '' },
  { name: 'with a key that is none', operation: 'billing.balance', apiKey: 'no-such-key' },
  { name: 'one that is there', operation: 'messages.get', with: { id: '$message' } },
  { name: 'one that is not there', operation: 'messages.get', with: { id: gone('msg_') } },
  { name: 'one that is there', operation: 'contacts.get', with: { id: '$contact' } },
  { name: 'one that is not there', operation: 'contacts.get', with: { id: gone('c_') } },
  { name: 'of a contact', operation: 'consent.list', with: { id: '$contact' } },
  { name: 'of nobody', operation: 'consent.list', with: { id: gone('c_') } },
  { name: 'one that is there', operation: 'agents.get', with: { id: '$agent_seen' } },
  { name: 'one that is not there', operation: 'agents.get', with: { id: gone('ag_live_') } },
  { name: 'of one that is there', operation: 'agents.launch', with: { id: '$agent_seen' } },
  { name: 'of one that is not there', operation: 'agents.launch', with: { id: gone('ag_live_') } },
  { name: 'of one that is not there', operation: 'campaigns.status', with: { id: GONE } },
  { name: 'as it is', operation: 'billing.balance' },
  { name: 'as it is', operation: 'billing.tier' },
  { name: 'of this month', operation: 'billing.usage' },
  { name: 'of a month that is none', operation: 'billing.usage', with: { month: '2026-13' } },
  { name: 'a list', operation: 'billing.transactions', with: { limit: 1 } },
  { name: 'a list', operation: 'billing.invoices', with: { limit: 1 } },
  { name: 'one that is not there', operation: 'billing.invoicePdf', with: { id: gone('inv_') } },
  { name: 'a list', operation: 'webhooks.list', with: { limit: 1 } },
  { name: 'as it is', operation: 'testAgent.status' },
]

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hello' } }
const refused = (name: string, operation: string, given: Readonly<Record<string, unknown>> = {}): Probe => ({
  name,
  operation,
  with: given,
  live: 'refusal',
})

/** Writes that the service must refuse, so nothing changes. */
const REFUSALS: readonly Probe[] = [
  refused('an empty body', 'messages.send'),
  refused('an agent that there is not', 'messages.send', { agent_id: gone('ag_live_'), to: '+491713920050', ...text }),
  refused('a number that is none', 'messages.send', { agent_id: gone('ag_live_'), to: '12', ...text }),
  refused('a field that there is not', 'messages.send', {
    agent_id: gone('ag_live_'),
    to: '+491713920050',
    ...text,
    no_such_field: 1,
  }),
  refused('a ttl in hours', 'messages.send', { agent_id: gone('ag_live_'), to: '+491713920050', ...text, ttl: '1h' }),
  refused('one that is not there', 'messages.revoke', { id: gone('msg_') }),
  refused('without an address', 'contacts.create', { first_name: 'Nobody' }),
  refused('one that is not there', 'contacts.update', { id: gone('c_'), first_name: 'Nobody' }),
  refused('one that is not there', 'contacts.delete', { id: gone('c_') }),
  refused('nobody', 'contacts.import', { contacts: [] }),
  refused('of nobody', 'consent.record', {
    id: gone('c_'),
    channel_type: 'RCS',
    message_type: 'MESSAGE',
    status: 'GRANTED',
    source: 'drift',
  }),
  refused('pending without double opt-in', 'consent.record', {
    id: gone('c_'),
    channel_type: 'RCS',
    message_type: 'MESSAGE',
    status: 'PENDING',
    source: 'drift',
  }),
  refused('of nobody', 'consent.revoke', { id: gone('c_'), record_id: gone('cr_') }),
  refused('an empty body', 'agents.create'),
  refused('a region that there is not', 'agents.create', {
    region: 'MOON',
    billing_category: 'CONVERSATIONAL',
    use_case: 'OTP',
  }),
  refused('one that is not there', 'agents.update', { id: gone('ag_draft_'), description: 'x' }),
  refused('one that is not there', 'agents.submit', { id: gone('ag_draft_') }),
  refused('one that is not there', 'campaigns.trigger', { id: GONE }),
  refused('one that is not there', 'campaigns.pause', { id: GONE }),
  refused('one that is not there', 'campaigns.resume', { id: GONE }),
  refused('a URL that is none', 'webhooks.create', { url: 'nowhere', events: ['message.read'] }),
  refused('an event that there is not', 'webhooks.create', { url: 'https://example.com/', events: ['message.red'] }),
  refused('one that is not there', 'webhooks.update', { id: GONE, description: 'x' }),
  refused('one that is not there', 'webhooks.delete', { id: GONE }),
  refused('one that is not there', 'webhooks.test', { id: GONE }),
  refused('nothing', 'billing.topup', { amount: 0 }),
  refused('a number that is none', 'testAgent.register', { phone: '12' }),
]

/** A fresh key for each run; otherwise the service would repeat the last answer. */
const KEY = '$key'
const send = { agent_id: '$agent', to: '$to', ...text }

/** A message, and reads of it afterwards. */
const SENDS: readonly Probe[] = [
  {
    name: 'a text',
    operation: 'messages.send',
    with: send,
    idempotencyKey: KEY,
    save: { sent: 'message_id' },
    live: 'send',
  },
  {
    name: 'the same once more',
    operation: 'messages.send',
    with: send,
    idempotencyKey: KEY,
    repeats: { message_id: 'sent' },
    live: 'send',
  },
  {
    name: 'its key with another body',
    operation: 'messages.send',
    with: { ...send, content: { text: 'Other' } },
    idempotencyKey: KEY,
    live: 'send',
  },
  {
    name: 'a conversation without a session',
    operation: 'messages.send',
    with: { ...send, message_type: 'CONVERSATION' },
    live: 'send',
  },
  { name: 'the one that was sent', operation: 'messages.get', with: { id: '$sent' }, live: 'send' },
]

/** Selects probes: reads; refusals where writing is allowed; sends where sender and recipient are given. */
export const probesFor = ({ live, sends }: { live: boolean; sends: boolean }): readonly Probe[] => [
  ...READS,
  ...(live ? REFUSALS : []),
  ...(live && sends ? SENDS : []),
]
