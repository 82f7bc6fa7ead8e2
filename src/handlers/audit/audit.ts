import type { LoggedEvent } from '../../controls/events/contract.ts'
import { isRecord, jsonOr } from '../../words/json.ts'
import { problem } from '../../words/problem.ts'
import { textsIn } from '../../words/texts.ts'
import { isAccepted } from '../post.ts'
import { type ApplicationSend, Facts } from './facts.ts'
import { consentInvariants, endInvariants, sendInvariants } from './invariants.ts'
import type { Seen, SeenRequest } from './seen.ts'

/** A broken invariant. */
export interface Breach {
  code: string
  claim: string
  /** The sentence that names the cause. */
  message: string
  remedy: string
  docs: string
}

export interface Auditor {
  /** Handles the next event or request and returns the invariants that it breaks. */
  see(seen: Seen): Breach[]
  /**
   * Returns what is broken at the end; `consent` is the application's own record, by contact_id and `RCS/NEWSLETTER`.
   */
  end(own?: { consent?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined }): Breach[]
}

type Stated = Pick<Breach, 'code' | 'claim' | 'remedy'>

const breach = ({ code, claim, remedy }: Stated, message: string): Breach => ({
  code,
  claim,
  message,
  remedy,
  docs: `docs/handlers.md#${code}`,
})

/** Checks an application's requests against the events it was sent. */
export const createAuditor = (): Auditor => auditorWith(new Facts())

/** Judges by facts that the caller may add to. */
export function auditorWith(facts: Facts): Auditor {
  return {
    see(seen) {
      if (seen.body !== null && typeof seen.body !== 'string')
        throw problem(
          'validation_error',
          'The body of an event or a request must be its text, such as JSON.stringify(…).',
        )
      if (seen.kind === 'request') return judged(seen, facts)
      facts.learn(JSON.parse(seen.body) as LoggedEvent)
      return []
    },
    end: ({ consent = {} } = {}) => [...unrecorded(facts), ...differing(facts, consent)],
  }
}

/** Checks a whole stream. */
export async function audit(stream: Iterable<Seen> | AsyncIterable<Seen>): Promise<Breach[]> {
  const auditor = createAuditor()
  const breaches: Breach[] = []
  for await (const seen of stream) breaches.push(...auditor.see(seen))
  return [...breaches, ...auditor.end()]
}

function judged(request: SeenRequest, facts: Facts): Breach[] {
  if (hasFailed(request)) facts.failed()
  const [path = ''] = request.path.split('?')
  const body = objectIn(request.body)
  if (request.method === 'POST' && /^\/v1\/(test\/)?messages$/.test(path))
    return judgedSend(sendOf(body, request), facts)
  const [, reference, record] = /^\/v1\/contacts\/([^/]+)(?:\/consent\/([^/]+))?/.exec(path) ?? []
  const contact = reference && facts.contactOf(decodeURIComponent(reference))
  if (contact && request.method !== 'GET') return judgedWrite({ contact, request, body, record }, facts)
  if (contact && isAccepted(request)) facts.read.add(contact)
  if (isAccepted(request) && request.method !== 'GET') facts.changed()
  return []
}

const hasFailed = ({ status, isUnanswered }: SeenRequest) =>
  isUnanswered || status === null || status >= 500 || status === 429

function judgedSend(send: ApplicationSend | undefined, facts: Facts): Breach[] {
  if (!send) return []
  const breaches = sendInvariants.flatMap((invariant) => {
    const message = invariant.broken(send, facts)
    return message === undefined ? [] : [breach(invariant, message)]
  })
  facts.remember(send)
  return breaches
}

/** A write to a contact, or to one of its consent records. */
interface ContactWrite {
  contact: string
  request: SeenRequest
  body: Record<string, unknown>
  /** The id of the consent record. */
  record?: string | undefined
}

function judgedWrite(write: ContactWrite, facts: Facts): Breach[] {
  const { contact, request, body } = write
  const breaches = consentInvariants.flatMap((invariant) => {
    const message = invariant.broken({ contact, request, record: body }, facts)
    return message === undefined ? [] : [breach(invariant, message)]
  })
  if (isAccepted(request)) {
    facts.changed()
    if (typeof body.external_id === 'string') facts.references.set(body.external_id, contact)
    const revoked = revokedBy(write, facts)
    if (revoked === undefined || revoked.startsWith('EMAIL/')) return breaches
    facts.recorded.add(contact)
    facts.revoked.add(revoked === EVERYTHING ? contact : `${contact} ${revoked}`)
  }
  return breaches
}

const EVERYTHING = 'everything'

/**
 * What the service does not send any more after a write: a kind of message, such as `RCS/NEWSLETTER`, or its record if no
 * event has named it; or everything.
 */
function revokedBy({ request: { method }, body, record }: ContactWrite, { records }: Facts): string | undefined {
  if (method === 'DELETE') return record === undefined ? EVERYTHING : (records.get(record) ?? record)
  const { status, channel_type, message_type } = body
  if (method === 'PATCH') return status === 'UNSUBSCRIBED' || status === 'BLOCKED' ? EVERYTHING : undefined
  return status === undefined || status === 'GRANTED' ? undefined : `${channel_type}/${message_type}`
}

function sendOf(body: Record<string, unknown>, request: SeenRequest): ApplicationSend | undefined {
  const { idempotency_key: _, ...words } = body
  const { to, message_type = 'MESSAGE', traffic_type, agent_id } = words
  if (typeof to !== 'string') return undefined
  return {
    to,
    channel: agent_id === undefined ? 'EMAIL' : 'RCS',
    agentId: agent_id,
    kind: message_type as ApplicationSend['kind'],
    isPromotional: message_type === 'NEWSLETTER' || traffic_type === 'PROMOTION',
    isAcknowledgement: traffic_type === 'ACKNOWLEDGEMENT',
    words: JSON.stringify(Object.entries(words).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    texts: Array.from(textsIn(words), ({ text }) => text),
    request,
  }
}

function objectIn(text: string | null): Record<string, unknown> {
  const value = jsonOr(text ?? '', undefined)
  return isRecord(value) ? value : {}
}

function unrecorded(facts: Facts): Breach[] {
  const { endings, contacts, recorded } = facts
  return [...endings].flatMap(([address, ending]) => {
    const contact = contacts.get(address)
    // Nobody is found by a phone number that the contact does not have any more.
    if (ending !== 'STOP' || facts.hasMoved(contact, address)) return []
    // Without events of contacts, the auditor does not know whose STOP was recorded.
    const isRecorded = contact === undefined ? recorded.size > 0 : recorded.has(contact)
    if (contact !== undefined && !isRecorded && facts.hasStoppedEarly(contact)) return []
    const left = isRecorded ? facts.unrevoked(contact) : ['the consent']
    return left.map((what) =>
      breach(endInvariants.notRecorded, `${address} sent STOP, and the application did not revoke ${what}`),
    )
  })
}

function differing({ consent }: Facts, own: Readonly<Record<string, Readonly<Record<string, string>>>>): Breach[] {
  return Object.entries(own).flatMap(([contact, kinds]) =>
    Object.entries(kinds).flatMap(([kind, status]) => {
      const lastStatus = consent.get(`${contact} ${kind}`)?.status
      const message = `${kind} of ${contact} is ${status} in the application, and ${lastStatus} in the service`
      return lastStatus === undefined || lastStatus === status ? [] : [breach(endInvariants.differs, message)]
    }),
  )
}
