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
  /** Repeated until the message is no longer on its way. */
  settles?: true
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
  { name: 'a page of 0 records', operation: 'messages.list', with: { limit: 0 } },
  { name: 'an unknown cursor', operation: 'messages.list', with: { cursor: 'nowhere' } },
  { name: 'an unknown filter', operation: 'messages.list', with: { no_such_filter: 'x' } },
  { name: 'a campaign without messages', operation: 'messages.list', with: { campaign_id: GONE } },
  { name: 'without a key', operation: 'messages.list', apiKey: '' },
  { name: 'an invalid API key', operation: 'billing.balance', apiKey: 'no-such-key' },
  { name: 'an existing id', operation: 'messages.get', with: { id: '$message' } },
  { name: 'an unknown id', operation: 'messages.get', with: { id: gone('msg_') } },
  { name: 'an existing id', operation: 'contacts.get', with: { id: '$contact' } },
  { name: 'an unknown id', operation: 'contacts.get', with: { id: gone('c_') } },
  { name: 'of a contact', operation: 'consent.list', with: { id: '$contact' } },
  { name: 'of an unknown contact', operation: 'consent.list', with: { id: gone('c_') } },
  { name: 'an existing id', operation: 'agents.get', with: { id: '$agent_seen' } },
  { name: 'an unknown id', operation: 'agents.get', with: { id: gone('ag_live_') } },
  { name: 'of an existing id', operation: 'agents.launch', with: { id: '$agent_seen' } },
  { name: 'of an unknown id', operation: 'agents.launch', with: { id: gone('ag_live_') } },
  { name: 'of an unknown id', operation: 'campaigns.status', with: { id: GONE } },
  { name: 'current values', operation: 'billing.balance' },
  { name: 'current values', operation: 'billing.tier' },
  { name: 'of this month', operation: 'billing.usage' },
  { name: 'an invalid month', operation: 'billing.usage', with: { month: '2026-13' } },
  { name: 'a list', operation: 'billing.transactions', with: { limit: 1 } },
  { name: 'a list', operation: 'billing.invoices', with: { limit: 1 } },
  { name: 'an unknown id', operation: 'billing.invoicePdf', with: { id: gone('inv_') } },
  { name: 'a list', operation: 'webhooks.list', with: { limit: 1 } },
  { name: 'current values', operation: 'testAgent.status' },
]

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hello' } }
const refused = (name: string, operation: string, input: Readonly<Record<string, unknown>> = {}): Probe => ({
  name,
  operation,
  with: input,
  live: 'refusal',
})

/** Writes that the service must refuse, so nothing changes. */
const REFUSALS: readonly Probe[] = [
  refused('an empty body', 'messages.send'),
  refused('an unknown agent', 'messages.send', { agent_id: gone('ag_live_'), to: '+491713920050', ...text }),
  refused('an invalid phone number', 'messages.send', { agent_id: gone('ag_live_'), to: '12', ...text }),
  refused('an unknown field', 'messages.send', {
    agent_id: gone('ag_live_'),
    to: '+491713920050',
    ...text,
    no_such_field: 1,
  }),
  refused('a ttl in hours', 'messages.send', { agent_id: gone('ag_live_'), to: '+491713920050', ...text, ttl: '1h' }),
  refused('an unknown id', 'messages.revoke', { id: gone('msg_') }),
  refused('without an address', 'contacts.create', { first_name: 'Nobody' }),
  refused('an unknown id', 'contacts.update', { id: gone('c_'), first_name: 'Nobody' }),
  refused('an unknown id', 'contacts.delete', { id: gone('c_') }),
  refused('an empty list', 'contacts.import', { contacts: [] }),
  refused('of an unknown contact', 'consent.record', {
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
  refused('of an unknown contact', 'consent.revoke', { id: gone('c_'), record_id: gone('cr_') }),
  refused('an empty body', 'agents.create'),
  refused('an unknown region', 'agents.create', {
    region: 'MOON',
    billing_category: 'CONVERSATIONAL',
    use_case: 'OTP',
  }),
  refused('an unknown id', 'agents.update', { id: gone('ag_draft_'), description: 'x' }),
  refused('an unknown id', 'agents.submit', { id: gone('ag_draft_') }),
  refused('an unknown id', 'campaigns.trigger', { id: GONE }),
  refused('an unknown id', 'campaigns.pause', { id: GONE }),
  refused('an unknown id', 'campaigns.resume', { id: GONE }),
  refused('an invalid URL', 'webhooks.create', { url: 'nowhere', events: ['message.read'] }),
  refused('an unknown event', 'webhooks.create', { url: 'https://example.com/', events: ['message.red'] }),
  refused('an unknown id', 'webhooks.update', { id: GONE, description: 'x' }),
  refused('an unknown id', 'webhooks.delete', { id: GONE }),
  refused('an unknown id', 'webhooks.test', { id: GONE }),
  refused('an amount of 0', 'billing.topup', { amount: 0 }),
  refused('an invalid phone number', 'testAgent.register', { phone: '12' }),
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
    name: 'the same call again',
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
  { name: 'the sent message', operation: 'messages.get', with: { id: '$sent' }, live: 'send' },
  // It has no cost before.
  {
    name: 'the sent message after its delivery',
    operation: 'messages.get',
    with: { id: '$sent' },
    settles: true,
    live: 'send',
  },
]

/** Selects probes: reads; refusals if writes are allowed; sends if sender and recipient are set. */
export const probesFor = ({ live, sends }: { live: boolean; sends: boolean }): readonly Probe[] => [
  ...READS,
  ...(live ? REFUSALS : []),
  ...(live && sends ? SENDS : []),
]
