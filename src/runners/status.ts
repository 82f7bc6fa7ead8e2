import type { Client } from '../client/client.ts'
import { troubleOf } from '../evidence/trouble.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { AGENT_STATUSES, CONTACT_STATUSES, SENT_MESSAGE_STATUSES, UNDELIVERED_STATUSES } from '../words/statuses.ts'
import { suggest } from '../words/suggest.ts'
import { wrongSubject } from './subject.ts'
import { observersOfCall } from './suite.ts'
import { historyOf, type MatcherContext, sought, type Verdict, whatIsDue } from './verdict.ts'

/** Statuses of a message that has arrived: a read one has been delivered, and so has an email that was opened. */
const ARRIVED = ['delivered', 'read', 'opened', 'clicked']

/** A status of a message, agent or contact. */
export type SubjectStatus = (typeof SENT_MESSAGE_STATUSES | typeof AGENT_STATUSES | typeof CONTACT_STATUSES)[number]

/** Something with an id and a status, as passed to matchers. */
interface Subject {
  id: string
  kind: Kind
}

interface Kind {
  /** `message` */
  name: string
  statuses: readonly string[]
  /** Statuses that are final. */
  final: readonly string[]
  status: (client: Client, id: string) => Promise<string>
  /** The reasons of the status, in lines. */
  why: (client: Client, id: string) => Promise<string[]>
}

/** Agents and contacts have no explanation; scheduled work may still change them. */
const due = async (client: Client) => [await whatIsDue(client)]

/** By the prefix of the id (interface §2.1). */
const KINDS: Readonly<Record<string, Kind>> = {
  msg: {
    name: 'message',
    statuses: SENT_MESSAGE_STATUSES,
    final: UNDELIVERED_STATUSES,
    status: async ({ messages }, id) => (await messages.get(id)).status,
    why: historyOf,
  },
  ag: {
    name: 'agent',
    statuses: AGENT_STATUSES,
    final: [],
    status: async ({ agents }, id) => (await agents.get(id)).status,
    why: due,
  },
  c: {
    name: 'contact',
    statuses: CONTACT_STATUSES,
    final: [],
    status: async ({ contacts }, id) => (await contacts.get(id)).status,
    why: due,
  },
}

const WANTED = {
  toHaveBeenDelivered: 'a message: its id, or the answer of the send',
  toHaveStatus: 'a message, an agent or a contact: its id, or an answer with it',
}

/** The verdict on a status; a failure names the current one and its reasons. */
export async function statusVerdict(
  subject: unknown,
  status: string,
  sandbox: Sandbox | undefined,
  context: MatcherContext,
  name = 'toHaveStatus',
): Promise<Verdict> {
  const found = subjectOf(subject)
  if (!found) throw await wrongSubject(name, WANTED.toHaveStatus, subject, sandbox?.observer)
  const { statuses, name: kind } = found.kind
  if (!statuses.includes(status))
    throw new TypeError(`${name}(): no ${kind} has the status ${JSON.stringify(status)}${suggest(status, statuses)}`)
  return verdictOn(found, [status], `${name}('${status}')`, sandbox, context)
}

/** The verdict on a delivery; a failure explains the message. */
export async function deliveredVerdict(
  subject: unknown,
  sandbox: Sandbox | undefined,
  context: MatcherContext,
  name = 'toHaveBeenDelivered',
): Promise<Verdict> {
  const found = subjectOf(subject)
  if (!found || found.kind !== KINDS.msg)
    throw await wrongSubject(name, WANTED.toHaveBeenDelivered, subject, sandbox?.observer)
  return verdictOn(found, ARRIVED, `${name}()`, sandbox, context)
}

async function verdictOn(
  { id, kind }: Subject,
  wanted: readonly string[],
  call: string,
  sandbox: Sandbox | undefined,
  context: MatcherContext,
): Promise<Verdict> {
  const client = sandbox?.observer ?? (await worldWith(id, kind, call))
  let status = ''
  const found = await sought(client, context, async () => {
    status = await kind.status(client, id)
    if (wanted.includes(status)) return { found: status }
    return kind.final.includes(status) ? { lost: true } : undefined
  })
  const is = `the ${kind.name} ${id} is ${status}`
  if (found !== undefined) return { pass: true, message: () => `not.${call}: ${is}.` }
  const why = context.isNot ? [] : [...(await kind.why(client, id)), ...(await troubleOf(client))]
  return { pass: false, message: () => [`${call}: ${is}.`, ...why].join('\n') }
}

/** An id, or something that carries it: the answer of a send, a record, the data of an event. */
function subjectOf(subject: unknown): Subject | undefined {
  const { message_id, id, agent_id, contact_id } = (subject ?? {}) as Record<string, unknown>
  for (const candidate of [subject, message_id, id, agent_id, contact_id]) {
    if (typeof candidate !== 'string') continue
    const kind = KINDS[candidate.slice(0, candidate.indexOf('_'))]
    if (kind) return { id: candidate, kind }
  }
  return undefined
}

/** The world of this test if it contains the id. */
async function worldWith(id: string, kind: Kind, call: string): Promise<Client> {
  const worlds = observersOfCall()
  for (const observer of worlds) if (await kind.status(observer, id).catch(() => undefined)) return observer
  const [, name, status] = /^(\w+)\((.*)\)$/.exec(call)!
  const subject = name!.startsWith('assert') ? `'${id}'` : ''
  const pass = `pass it: ${name}(${[subject, status, 'sandbox'].filter(Boolean).join(', ')}).`
  throw new Error(
    worlds.length === 0
      ? `${call}: no test with the fixture "sandbox" is running. If ${id} is in a sandbox of your own, ${pass}`
      : `${call}: the sandbox of this test has no ${kind.name} ${id}. If it is in another one, ${pass}`,
  )
}
