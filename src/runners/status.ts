import type { Client } from '../client/client.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { AGENT_STATUSES, CONTACT_STATUSES, SENT_MESSAGE_STATUSES, UNDELIVERED_STATUSES } from '../words/statuses.ts'
import { suggest } from '../words/suggest.ts'
import { underWay } from './suite.ts'
import { type MatcherContext, sought, type Verdict, whatHasBecomeOf, whatIsDue } from './verdict.ts'

/** Statuses of a message that has arrived: a read one has been delivered, and so has an email that was opened. */
const ARRIVED = ['delivered', 'read', 'opened', 'clicked']

/** Something with an id and a status, as the matchers are given it. */
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

/** Agents and contacts have no explanation, but may have something due. */
const due = async (client: Client) => [await whatIsDue(client)]

/** By the prefix of the id (interface §2.1). */
const KINDS: Readonly<Record<string, Kind>> = {
  msg: {
    name: 'message',
    statuses: SENT_MESSAGE_STATUSES,
    final: UNDELIVERED_STATUSES,
    status: async ({ messages }, id) => (await messages.get(id)).status,
    why: whatHasBecomeOf,
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

/** The verdict on a status; a failure names the current one and its reasons. */
export async function statusVerdict(
  given: unknown,
  status: string,
  sandbox: Sandbox | undefined,
  asked: MatcherContext,
): Promise<Verdict> {
  const subject = subjectOf(given, 'toHaveStatus')
  const { statuses, name } = subject.kind
  if (!statuses.includes(status))
    throw new TypeError(
      `toHaveStatus(): no ${name} has the status ${JSON.stringify(status)}${suggest(status, statuses)}`,
    )
  return verdictOn(subject, [status], `toHaveStatus('${status}')`, sandbox, asked)
}

/** The verdict on a delivery; a failure explains the message. */
export async function deliveredVerdict(
  given: unknown,
  sandbox: Sandbox | undefined,
  asked: MatcherContext,
): Promise<Verdict> {
  const subject = subjectOf(given, 'toHaveBeenDelivered')
  if (subject.kind !== KINDS.msg) throw wrongSubject('toHaveBeenDelivered', given)
  return verdictOn(subject, ARRIVED, 'toHaveBeenDelivered()', sandbox, asked)
}

async function verdictOn(
  { id, kind }: Subject,
  wanted: readonly string[],
  call: string,
  sandbox: Sandbox | undefined,
  asked: MatcherContext,
): Promise<Verdict> {
  const client = sandbox?.observer ?? (await whereIs(id, kind))
  let status = ''
  const found = await sought(client, asked, async () => {
    status = await kind.status(client, id)
    if (wanted.includes(status)) return { found: status }
    return kind.final.includes(status) ? { lost: true } : undefined
  })
  const is = `the ${kind.name} ${id} is ${status}`
  if (found !== undefined) return { pass: true, message: () => `not.${call}: ${is}.` }
  const why = asked.isNot ? [] : await kind.why(client, id)
  return { pass: false, message: () => [`${call}: ${is}.`, ...why].join('\n') }
}

/** Given as its id, or as something that carries it: the answer of a send, a record, the data of an event. */
function subjectOf(given: unknown, matcher: string): Subject {
  const { message_id, id, agent_id, contact_id } = (given ?? {}) as Record<string, unknown>
  for (const candidate of [given, message_id, id, agent_id, contact_id]) {
    if (typeof candidate !== 'string') continue
    const kind = KINDS[candidate.slice(0, candidate.indexOf('_'))]
    if (kind) return { id: candidate, kind }
  }
  throw wrongSubject(matcher, given)
}

const wrongSubject = (matcher: string, given: unknown) =>
  new TypeError(
    `${matcher}() is asked of ${matcher === 'toHaveStatus' ? 'a message, an agent or a contact' : 'a message'}: its id, or the answer that carries it. It was asked of ${JSON.stringify(given) ?? typeof given}.`,
  )

/** The world of a test under way that has it; ids are never the same in two worlds. */
async function whereIs(id: string, kind: Kind): Promise<Client> {
  for (const { observer } of underWay) if (await kind.status(observer, id).catch(() => undefined)) return observer
  throw new Error(
    underWay.size === 0
      ? `No test with a sandbox of its own is under way, so nobody can be asked for ${id}. Name the sandbox: toHaveStatus('…', sandbox).`
      : `The sandbox of this test knows no ${kind.name} ${id}. If it is in another one, name that: toHaveStatus('…', sandbox).`,
  )
}
