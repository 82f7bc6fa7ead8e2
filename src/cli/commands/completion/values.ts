import { triggerNames } from '../../../controls/triggers/table.ts'
import { WORLD_NAMES } from '../../../words/worlds.ts'
import { LAST } from '../../session/last-sent.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { readProfiles } from '../../target/profiles.ts'

export interface Candidate {
  value: string
  /** A short description. */
  about: string
}

type Source = (session: Session) => Promise<readonly Candidate[]> | readonly Candidate[]

/** Completion must not wait for a slow service. */
const TIMEOUT_MS = 1_500

const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, about: '' }))

/** Reads rows of `world show`, whose fields the contract leaves open. */
const inWorld =
  (list: 'agents' | 'channels' | 'templates' | 'campaigns', id: string, name: string): Source =>
  async (session) =>
    (await callOperation(session, 'world.show'))[list].map((row) => ({
      value: String(row[id]),
      about: String(row[name] ?? ''),
    }))

const agents = inWorld('agents', 'agent_id', 'display_name')
const channels = inWorld('channels', 'channel_id', 'name')
const templates = inWorld('templates', 'template_id', 'name')
const campaigns = inWorld('campaigns', 'campaign_id', 'name')
const carriers: Source = async (session) =>
  (await callOperation(session, 'carriers.list')).carriers.map(({ name }) => ({ value: name, about: '' }))
const messages: Source = async (session) => [
  { value: LAST, about: 'last message sent' },
  ...(await callOperation(session, 'messages.list', { payload: { limit: 20 } })).messages.map(({ id, to, status }) => ({
    value: id,
    about: `${status}, ${to}`,
  })),
]
const recipients: Source = async (session) =>
  (await callOperation(session, 'world.show')).magic_recipients.map(({ address, does }) => ({
    value: String(address),
    about: String(does),
  }))
const phones: Source = async (session) => (await recipients(session)).filter(({ value }) => value.startsWith('+'))
const mailboxes: Source = async (session) => (await recipients(session)).filter(({ value }) => value.includes('@'))
const webhooks: Source = async (session) =>
  (await callOperation(session, 'webhooks.list')).data.map(({ id, url }) => ({ value: id, about: url }))
const rules: Source = async (session) =>
  (await callOperation(session, 'rules.list')).rules.map(({ id, name }) => ({ value: id, about: name ?? '' }))
const faults: Source = async (session) =>
  (await callOperation(session, 'faults.list')).faults.map(({ id, does }) => ({ value: id, about: does }))
const snapshots: Source = async (session) =>
  (await callOperation(session, 'snapshots.list')).snapshots.map(({ name, clock }) => ({
    value: name,
    about: clock.now,
  }))
const namespaces: Source = async (session) =>
  (await callOperation(session, 'namespaces.list')).namespaces.map(({ name, state }) => ({ value: name, about: state }))
const events: Source = async (session) =>
  (await callOperation(session, 'events.list', { payload: { order: 'newest', limit: 20 } })).events.map(
    ({ id, event, seq }) => ({
      value: id,
      about: `${event} #${seq}`,
    }),
  )
const profiles: Source = ({ io }) =>
  Object.entries(readProfiles(io).profiles).map(([value, { base_url }]) => ({ value, about: base_url }))

const eventNames: Source = async () => plain((await import('../../../service/events/catalogue.ts')).eventNames)
/** Several operations have one path. */
const operationsBy =
  (field: 'id' | 'path'): Source =>
  async () => {
    const { allOperations } = await import('../../../client/operation-of.ts')
    return [...new Map(allOperations().map((one) => [one[field], { value: one[field], about: one.summary }])).values()]
  }
/** The external ids of the magic phones in the default world. */
const contacts: Source = async (session) =>
  (await phones(session)).map(({ value, about }) => ({ value: `magic-${value.slice(-2)}`, about }))

/** Any number may follow `scaled:`. */
const CLOCKS = ['real', 'frozen', 'auto', 'scaled:60']

/** By flag, or by noun and argument. */
const SOURCES: Readonly<Record<string, Source>> = {
  '--agent': agents,
  '--agent-id': agents,
  'agents id': agents,
  '--channel': channels,
  '--channel-id': channels,
  '--via': channels,
  '--template': templates,
  '--template-id': templates,
  '--campaign': campaigns,
  '--campaign-id': campaigns,
  'campaigns id': campaigns,
  '--carrier': carriers,
  '--launched-on': carriers,
  'carriers name': carriers,
  '--message': messages,
  '--message-id': messages,
  'messages message': messages,
  'explain message': messages,
  'open what': messages,
  'preview what': messages,
  '--phone': phones,
  'api method': () => plain(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']),
  // A path with an id cannot be completed.
  'api path': operationsBy('path'),
  'send to': recipients,
  'handsets phone': phones,
  'inbox address': recipients,
  'mailboxes address': mailboxes,
  'test-agent phone': phones,
  '--endpoint': webhooks,
  '--endpoint-id': webhooks,
  'webhooks id': webhooks,
  'rules rule': rules,
  'faults id': faults,
  'snapshots name': snapshots,
  'namespaces name': namespaces,
  'events id': events,
  '--event-id': events,
  'expect event': eventNames,
  '--event': eventNames,
  '--events': eventNames,
  '--not': eventNames,
  '--route': operationsBy('id'),
  '--operation': operationsBy('id'),
  'contacts id': contacts,
  'consent contact': contacts,
  '--contact': contacts,
  '--contact-id': contacts,
  'trigger event': () => plain(triggerNames),
  '--profile': profiles,
  'profile name': profiles,
  '--clock': () => plain(CLOCKS),
  '--world': () => plain(WORLD_NAMES),
}

/** Completes from the service or this machine; nothing where it cannot be reached. */
export async function valuesFor(name: string, session: Session): Promise<readonly Candidate[]> {
  try {
    const hurried = { ...session, endpoint: { ...session.endpoint, timeoutMs: TIMEOUT_MS } }
    return (await SOURCES[name]?.(hurried)) ?? []
  } catch {
    return []
  }
}
