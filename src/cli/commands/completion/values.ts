import type { OperationId } from '../../../client/answers.ts'
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

/** The rows of a list in the answer to an operation, by two of their fields. */
const listed =
  (id: OperationId, list: string, value: string, about = ''): Source =>
  async (session) => {
    const answer = (await callOperation(session, id)) as unknown as Record<string, readonly Record<string, unknown>[]>
    return answer[list]!.map((row) => ({ value: String(row[value]), about: String(row[about] ?? '') }))
  }

const recipients = listed('world.show', 'magic_recipients', 'address', 'does')
const phones: Source = async (session) => (await recipients(session)).filter(({ value }) => value.startsWith('+'))
const mailboxes: Source = async (session) => (await recipients(session)).filter(({ value }) => value.includes('@'))
/** The external ids of the magic phones in the default world. */
const contacts: Source = async (session) =>
  (await phones(session)).map(({ value, about }) => ({ value: `magic-${value.slice(-2)}`, about }))
const messages: Source = async (session) => [
  { value: LAST, about: 'last message sent' },
  ...(await callOperation(session, 'messages.list', { payload: { limit: 20 } })).messages.map(({ id, to, status }) => ({
    value: id,
    about: `${status}, ${to}`,
  })),
]
const events: Source = async (session) =>
  (await callOperation(session, 'events.list', { payload: { order: 'newest', limit: 20 } })).events.map(
    ({ id, event, seq }) => ({ value: id, about: `${event} #${seq}` }),
  )
const snapshots: Source = async (session) =>
  (await callOperation(session, 'snapshots.list')).snapshots.map(({ name, clock }) => ({
    value: name,
    about: clock.now,
  }))
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

/** Any number may follow `scaled:`. */
const CLOCKS = ['real', 'frozen', 'auto', 'scaled:60']

/** Sources with the flags, or nouns and arguments, that they complete. */
const SOURCES: readonly (readonly [Source, ...names: string[]])[] = [
  [listed('world.show', 'agents', 'agent_id', 'display_name'), '--agent', '--agent-id', 'agents id'],
  [listed('world.show', 'channels', 'channel_id', 'name'), '--channel', '--channel-id', '--via'],
  [listed('world.show', 'templates', 'template_id', 'name'), '--template', '--template-id'],
  [listed('world.show', 'campaigns', 'campaign_id', 'name'), '--campaign', '--campaign-id', 'campaigns id'],
  [listed('carriers.list', 'carriers', 'name'), '--carrier', '--launched-on', 'carriers name'],
  [messages, '--message', '--message-id', 'messages message', 'explain message', 'open what', 'preview what'],
  [recipients, 'send to', 'inbox address'],
  [phones, '--phone', 'handsets phone', 'test-agent phone'],
  [mailboxes, 'mailboxes address'],
  [contacts, '--contact', '--contact-id', 'contacts id', 'consent contact'],
  [listed('webhooks.list', 'data', 'id', 'url'), '--endpoint', '--endpoint-id', 'webhooks id'],
  [listed('rules.list', 'rules', 'id', 'name'), 'rules rule'],
  [listed('faults.list', 'faults', 'id', 'does'), 'faults id'],
  [snapshots, 'snapshots name'],
  [listed('namespaces.list', 'namespaces', 'name', 'state'), 'namespaces name'],
  [events, '--event-id', 'events id'],
  [eventNames, '--event', '--events', '--not', 'expect event'],
  [operationsBy('id'), '--route', '--operation'],
  // A path with an id cannot be completed.
  [operationsBy('path'), 'api path'],
  [() => plain(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']), 'api method'],
  [() => plain(triggerNames), 'trigger event'],
  [profiles, '--profile', 'profile name'],
  [() => plain(CLOCKS), '--clock'],
  [() => plain(WORLD_NAMES), '--world'],
]

/** Completes from the service or this machine; nothing where it cannot be reached. */
export async function valuesFor(name: string, session: Session): Promise<readonly Candidate[]> {
  try {
    const hurried = { ...session, endpoint: { ...session.endpoint, timeoutMs: TIMEOUT_MS } }
    const [source] = SOURCES.find(([, ...names]) => names.includes(name)) ?? []
    return (await source?.(hurried)) ?? []
  } catch {
    return []
  }
}
