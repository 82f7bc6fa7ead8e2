import { isAccepted } from '../post.ts'
import { type ApplicationSend, type EndingReason, type Facts, mistakesIn } from './facts.ts'
import type { SeenRequest } from './seen.ts'

/** A rule of consent or of retrying that no application may break. */
interface About {
  readonly code: string
  /** The rule. */
  readonly claim: string
  readonly remedy: string
}

export interface SendInvariant extends About {
  /** Describes the breach of a send; called before the facts include the send. */
  readonly broken: (send: ApplicationSend, facts: Facts) => string | undefined
}

/** A write to a consent record. */
interface ConsentWrite {
  contact: string
  request: SeenRequest
  record: { channel_type?: string; message_type?: string; status?: string; enforced_doi?: boolean }
}

export interface ConsentInvariant extends About {
  readonly broken: (write: ConsentWrite, facts: Facts) => string | undefined
}

const MAX_ATTEMPTS = 5
const SAME_MS = 60_000

const after = (code: string, ending: EndingReason, remedy: string): SendInvariant => ({
  code,
  claim: `No send follows ${ending}`,
  remedy,
  broken: ({ to, isPromotional, isAcknowledgement }, { endings }) =>
    endings.get(to) === ending && !(isPromotional && ending !== 'a hard bounce') && !isAcknowledgement
      ? `sent to ${to} after ${ending}`
      : undefined,
})

/** The consent status that the application received, or that of a refusal. */
const isKnownAs = (status: 'REVOKED' | 'PENDING', send: ApplicationSend, facts: Facts) =>
  (facts.consentTo(send) ?? REFUSALS[send.request.error ?? '']) === status

const REFUSALS: Readonly<Record<string, string>> = { consent_revoked: 'REVOKED', consent_pending: 'PENDING' }

/** A repeated event, or a restart, that repeats its send with the same key makes one send. */
function isOfSameCause({ words, request }: ApplicationSend, { keys, attempts, mostAttempts }: Facts): boolean {
  const key = request.idempotency_key ?? ''
  return keys.get(key) === words && attempts.get(key)! < mostAttempts
}

/** Of events that arrive together, each may cause a send with a key of its own, and the next one waits for the first. */
function isOfOtherEvent({ words, to, request }: ApplicationSend, facts: Facts): boolean {
  const before = facts.sends.get(words)
  const isOtherSend = request.idempotency_key !== null && request.idempotency_key !== before?.last.idempotency_key
  return isOtherSend && before?.facts === facts.count && before.keys.size < facts.causesFor(to)
}

/** The status that the application has learned; null without an answer. */
const learnedStatus = ({ status, isUnanswered }: SeenRequest) => (isUnanswered ? null : status)

const hasOwnCause = (send: ApplicationSend, facts: Facts) => isOfSameCause(send, facts) || isOfOtherEvent(send, facts)

/** The same send before this one, if it was refused with a status and nothing has changed since. */
function refusedBefore(send: ApplicationSend, facts: Facts, status: number): SeenRequest | undefined {
  const before = facts.sends.get(send.words)
  if (!before || learnedStatus(before.last) !== status || before.facts !== facts.count) return undefined
  return hasOwnCause(send, facts) ? undefined : before.last
}

export const sendInvariants: readonly SendInvariant[] = [
  {
    code: 'promotion-after-revocation',
    claim: 'No promotion is sent after the recipient has revoked consent',
    remedy: 'Check your record of consent where you send, and store a revocation there before you answer the webhook.',
    broken: (send, facts) => {
      const ending = facts.endings.get(send.to)
      const isOver = isKnownAs('REVOKED', send, facts) || (ending !== undefined && ending !== 'a hard bounce')
      return send.isPromotional && isOver ? `a promotion to ${send.to} after ${ending ?? 'revocation'}` : undefined
    },
  },
  after('send-after-stop', 'STOP', 'Send nothing more to this phone after STOP, except one ACKNOWLEDGEMENT.'),
  after(
    'send-after-hard-bounce',
    'a hard bounce',
    'Remove the address from your lists, and send only to a new address of the person.',
  ),
  after('send-after-complaint', 'a complaint', 'Treat email.complained as an unsubscription from everything.'),
  after(
    'send-after-unsubscription',
    'an unsubscription',
    'Treat email.unsubscribed as an immediate and permanent revocation.',
  ),
  {
    code: 'acknowledged-twice',
    claim: 'A STOP is confirmed once',
    remedy:
      'Derive the idempotency key of the confirmation from the id of the event, so that a repeated event sends no second confirmation.',
    broken: ({ to, isAcknowledgement, request }, { endings, acknowledged, stops }) => {
      const keys = acknowledged.get(to) ?? new Set()
      const isSecond = keys.size >= (stops.get(to) ?? 1) && !keys.has(request.idempotency_key ?? '')
      return isAcknowledgement && endings.get(to) === 'STOP' && isSecond && isAccepted(request)
        ? `a second ACKNOWLEDGEMENT to ${to}`
        : undefined
    },
  },
  {
    code: 'send-after-revocation',
    claim: 'No message is sent to a recipient whose consent is revoked',
    remedy:
      'Check the consent for this channel and message type before every send, including those that follow an action.',
    broken: (send, facts) =>
      !send.isPromotional && !facts.endings.has(send.to) && isKnownAs('REVOKED', send, facts)
        ? `${send.kind} to ${send.to}, whose consent is REVOKED`
        : undefined,
  },
  {
    code: 'newsletter-before-double-opt-in',
    claim: 'No newsletter is sent before the double opt-in is confirmed',
    remedy: 'Subscribe people on consent.updated with status GRANTED, not on consent.created or at the signup.',
    broken: (send, facts) =>
      send.kind === 'NEWSLETTER' && isKnownAs('PENDING', send, facts)
        ? `a newsletter to ${send.to}, whose consent is PENDING`
        : undefined,
  },
  {
    code: 'newsletter-without-consent',
    claim: 'No newsletter is attempted without a record of consent',
    remedy: 'Record the consent with its source and proof before the first newsletter.',
    broken: (send, facts) =>
      send.kind === 'NEWSLETTER' && send.request.error === 'missing_consent' && facts.consentTo(send) === undefined
        ? `a newsletter to ${send.to}, who has no consent record`
        : undefined,
  },
  {
    code: 'suppressed-again',
    claim: 'No send to a suppressed recipient is repeated',
    remedy: 'After 422 recipient_suppressed, store that this address gets nothing until its contact is ACTIVE again.',
    broken: (send, facts) => {
      const { to } = send
      return facts.suppressed.has(to) && !hasOwnCause(send, facts)
        ? `sent to ${to} again after recipient_suppressed`
        : undefined
    },
  },
  {
    code: 'refusal-repeated',
    claim: 'A send that was refused with 422 is not repeated unchanged',
    remedy: 'Do not queue a send again after a 422: it succeeds only after a change of the consent or the contact.',
    broken: (send, facts) => {
      const before = refusedBefore(send, facts, 422)
      return before && !facts.suppressed.has(send.to)
        ? `the same send to ${send.to} again after ${before.error}`
        : undefined
    },
  },
  {
    code: 'balance-repeated',
    claim: 'A send that was refused for lack of balance is not repeated before a top-up',
    remedy: 'Pause the queue after a 402, top up, and continue.',
    broken: (send, facts) =>
      refusedBefore(send, facts, 402) ? `the same send to ${send.to} again after 402` : undefined,
  },
  {
    code: 'retry-storm',
    claim: `A send is attempted at most ${MAX_ATTEMPTS} times without success`,
    remedy: 'Store the number of attempts with the job, wait longer after each, and give up after a limit.',
    broken: ({ words, to }, facts) => {
      // Each of several events may have the same words.
      const most = MAX_ATTEMPTS * Math.max(1, facts.alikeCausesFor(to))
      return facts.sends.get(words)?.failures === most ? `the same send to ${to} more than ${most} times` : undefined
    },
  },
  {
    code: 'no-idempotency-key',
    claim: 'Every send has an idempotency key',
    remedy: 'Derive a UUID from the cause of the send (the order, the event), and pass it as Idempotency-Key.',
    broken: ({ to, request }) => (request.idempotency_key === null ? `a send to ${to} without a key` : undefined),
  },
  {
    code: 'key-reused',
    claim: 'An idempotency key is not used for another body',
    remedy:
      'Derive the key from everything that defines the send, or generate a new key for each send and store it with the job.',
    broken: ({ words, request }, { keys }) => {
      const before = keys.get(request.idempotency_key ?? '')
      return before !== undefined && before !== words
        ? `the key ${request.idempotency_key} was used with another body before`
        : undefined
    },
  },
  {
    code: 'key-changed-on-retry',
    claim: 'A send whose answer was lost is repeated with the same key',
    remedy:
      'Generate the key before the first attempt and store it: after a timeout or a 5xx, the message may have been sent.',
    broken: ({ words, to, request }, facts) => {
      const { last, keys = new Set() } = facts.sends.get(words) ?? {}
      // Another event may have the same words, and has a key of its own.
      const isNew = !keys.has(request.idempotency_key ?? '') && keys.size >= facts.alikeCausesFor(to)
      if (!last || !isNew || last.idempotency_key === request.idempotency_key) return undefined
      const status = learnedStatus(last)
      return status === null || status >= 500
        ? `the same send to ${to} with another key after ${status ?? 'no answer'}`
        : undefined
    },
  },
  {
    code: 'sent-twice',
    claim: 'A cause leads to the same message for the same person only once within a minute',
    remedy: 'Derive the key from the event that causes the send, so that a repeated event repeats the key.',
    broken: ({ words, to, request }, facts) => {
      const { last, causes, accepted = 0 } = facts.sends.get(words) ?? {}
      return last &&
        causes === facts.causes &&
        accepted >= Math.max(1, facts.causesFor(to)) &&
        isAccepted(last) &&
        isAccepted(request) &&
        !request.replayed &&
        isWithin(SAME_MS, last.at, request.at)
        ? `the same message to ${to} twice`
        : undefined
    },
  },
  {
    code: 'conversation-without-session',
    claim: 'CONVERSATION is sent only within an open session of its agent',
    remedy:
      'Store agent_id and session_expires_at of conversation.started, and answer as that agent. After conversation.ended, or after that time on the clock of the service, send MESSAGE instead.',
    broken: ({ kind, to, agentId, request: { error, idempotency_key } }, { sessions, keysOfSessions }) =>
      kind === 'CONVERSATION' &&
      error === 'no_active_session' &&
      !sessions.has(`${agentId} ${to}`) &&
      !keysOfSessions.has(idempotency_key ?? '')
        ? `CONVERSATION to ${to} without a session`
        : undefined,
  },
  {
    code: 'mistake-in-text',
    claim: 'A text contains no undefined value and no part of a character',
    remedy:
      'Read each value where it is in the event (data.user_message.text), and cut a text between characters, not within one.',
    broken({ to, texts }, { receivedMistakes }) {
      const own = mistakesIn(texts).find((mistake) => !receivedMistakes.has(mistake))
      if (own === undefined) return undefined
      return `a text to ${to} contains ${own.length > 1 ? `"${own}"` : 'a part of a character'}`
    },
  },
]

const isWithin = (ms: number, from: string, to: string) => Date.parse(to) - Date.parse(from) < ms

export const consentInvariants: readonly ConsentInvariant[] = [
  {
    code: 'double-opt-in-bypassed',
    claim: 'A pending double opt-in is granted only by its confirmation',
    remedy: 'Wait until the person confirms. Record the consent again with PENDING if the confirmation was lost.',
    broken: ({ contact, record, request }, { consent }) => {
      const before = consent.get(`${contact} ${record.channel_type}/${record.message_type}`)
      return isAccepted(request) && before?.status === 'PENDING' && before.isDoubleOptIn && record.status === 'GRANTED'
        ? `${contact} was granted ${record.channel_type}/${record.message_type} without confirming`
        : undefined
    },
  },
  {
    code: 'granted-after-ending',
    claim: 'Consent is not granted again after a STOP, a complaint or an unsubscription',
    remedy: 'Grant consent again only after the person has acted, with double opt-in as the proof.',
    broken: ({ contact, record, request }, facts) => {
      const ended = facts.addressesOf(contact).find((address) => facts.endings.has(address))
      return isAccepted(request) && record.status === 'GRANTED' && ended !== undefined
        ? `${contact} was granted ${record.channel_type}/${record.message_type} after ${facts.endings.get(ended)}`
        : undefined
    },
  },
]

/** Checked at the end. */
export const endInvariants = {
  notRecorded: {
    code: 'stop-not-recorded',
    claim: 'A STOP is recorded at the service too',
    remedy:
      'Revoke each consent of the phone (DELETE /v1/contacts/{id}/consent/{record_id}), or set the contact to UNSUBSCRIBED.',
  },
  differs: {
    code: 'consent-differs',
    claim: "The application's record of consent equals that of the service",
    remedy: 'Apply consent.created and consent.updated, and replace a record only by a newer one.',
  },
} as const satisfies Record<string, About>

/** For documents. */
export const invariants: readonly About[] = [...sendInvariants, ...consentInvariants, ...Object.values(endInvariants)]
