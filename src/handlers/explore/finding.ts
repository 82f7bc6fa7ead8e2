import { Unreachable } from '../../http/exchange.ts'
import { isAccepted } from '../post.ts'
import type { Ended } from './ended.ts'
import type { LogEvents } from './flow.ts'
import type { MadeDelivery } from './schedule.ts'
import { quoted } from './wording.ts'

/** A fault found by a schedule. A shrunk schedule must fail with the same code and place. */
export interface Finding {
  /** The kind of fault, as in docs/handlers.md. */
  code: string
  /** The affected part of the application. */
  where: string
  message: string
  /** The record of a wrong belief: an id, an address, or the name of an event that is counted. */
  subject?: string | undefined
  /** The record belongs to people of an earlier schedule, or a counter is lower than after it. */
  earlier?: true | undefined
  /** The fix, as far as the finding alone shows it. */
  remedy?: string | undefined
}

export const MAX_ATTEMPTS = 5
/** Attempts of an event that the application never answers: each takes the whole time limit. */
export const MAX_UNANSWERED = 2

export const isSameFinding = (a: Finding, b: Finding) => a.code === b.code && a.where === b.where

/** A counter belongs to no play. */
export const isAboutAll = ({ code, where }: Finding): boolean => code === 'belief-differs' && where === 'counts'

/** Keeps the first finding of each kind and place. */
export const withoutRepeats = (findings: readonly Finding[]): Finding[] =>
  findings.filter((finding, i) => findings.findIndex((first) => isSameFinding(first, finding)) === i)

const BY_FORGERY: Readonly<Partial<Record<MadeDelivery['how'], string>>> = {
  'old secret': 'signed with the old secret',
  unsigned: 'without a signature',
  empty: 'with an empty signature',
  truncated: 'with the first half of the right signature',
}

/** An accepted forgery with a genuine body is a repetition. */
export const forgeries = (deliveries: readonly MadeDelivery[]): Finding[] =>
  deliveries
    .filter((one) => isAccepted(one) && one.how !== 'other-id')
    .map(({ how, name, status }) => ({
      code: 'forgery-accepted',
      where: how === 'altered' ? 'forged' : how,
      message: `${name} ${BY_FORGERY[how] ?? 'whose body is not the signed one'} was answered ${status}`,
      remedy:
        how === 'old secret'
          ? 'Replace the secret on rotation, and stop accepting the old one.'
          : 'Compute the HMAC of the raw body that arrived, compare it with the whole header in constant time, and answer 401 before anything else happens, also if the header is missing.',
    }))

/** While another connection was stalled. */
export const handlerBlocked = ({ name }: MadeDelivery): Finding => ({
  code: 'handler-blocked',
  where: 'server',
  message: `${name} was not answered while another connection had sent half of a request`,
  remedy:
    'Use a server that serves connections in parallel (ThreadingHTTPServer, workers), with a time limit for reading.',
})

export const AROUND_CALLS =
  'Before a call, give back every connection, lock and thread that a webhook needs, and end the transaction.'

/** While its own calls waited for their answers. */
export const blockedByCalls = ({ name }: MadeDelivery): Finding => ({
  code: 'handler-blocked',
  where: 'calls',
  message: `${name} was not answered while calls of the application for other people had no answers`,
  remedy: AROUND_CALLS,
})

export const neverAccepted = ({ name, status, attempt, thrown, refusedCalls }: MadeDelivery): Finding => ({
  code: 'never-accepted',
  where: name,
  message:
    status === null
      ? `${name} was not answered in ${attempt} attempts`
      : `${name} was given up after ${attempt} attempts; the last was answered ${status}${throwing(thrown)}`,
  remedy:
    refusedCalls.length > 0
      ? 'Answer 2xx even if the service refuses a call, and store the refusal: a repeated event only repeats the refused call.'
      : 'Answer 2xx to every signed event, even if you do not know or need it, and work afterwards.',
})

/** What a handler function has thrown, after its answer. */
export const throwing = (thrown: string | undefined) =>
  thrown === undefined ? '' : `, because the handler throws ${quoted(thrown)}`

export const neverSettles = (events: LogEvents): Finding => ({
  code: 'never-settles',
  where: 'sends',
  message: `what the application sends leads to events to which it sends again, without end: ${events.map(({ event }) => event).join(', ')}`,
  remedy: 'Send in response to what people do, not to the progress of your own messages.',
})

export const stillChanging = (limitMs: number, isPending: boolean): Finding => ({
  code: 'still-changing',
  where: isPending ? 'pending' : 'belief',
  message: `${isPending ? 'events were still pending' : 'the state still changed'} ${Math.round(limitMs / 1000)} s after the last delivery`,
  remedy: `If the application is only slow, give it more time with --settle. Otherwise look for work that repeats without end${isPending ? ', and leave out of pending what is planned for a later time' : ''}.`,
})

/** The application ended on its own, did not start again, or can no longer read its own state. */
export function endedFinding({ how, reason, made }: Ended): Finding {
  if (how === 'probe-failed')
    return {
      code: 'probe-failed',
      where: 'truth',
      message: `the truth probe has failed: ${(reason as Error).message}`,
      remedy:
        reason instanceof Unreachable && reason.code === 'ETIMEDOUT'
          ? 'The application hangs: look for a lock, a connection or a thread that its work on an event takes and does not give back, above all where that work fails.'
          : 'Read the stderr of the application: it has stored something that its own queries cannot read.',
    }
  const [last] = made
  if (how === 'unanswered')
    return {
      code: 'never-accepted',
      where: last!.name,
      message: `${last!.name} was not answered within the time limit when it arrived for ${made.length} people at once`,
      remedy:
        'Take one connection of a pool for the whole work on an event, and wait for nothing else that other requests may hold.',
    }
  const after = last ? ` ${last.status === null ? 'on' : 'after'} ${last.name}` : ''
  const why = typeof reason === 'string' ? reason : reason && withHint(reason)
  return how === 'died'
    ? {
        code: 'handler-died',
        where: 'process',
        message: `the application ended${after}${why ? `: ${why}` : '; nothing listens at the handler any more'}`,
        remedy: 'Catch errors while you work on an event, so that they do not end the process.',
      }
    : {
        code: 'handler-not-restarted',
        where: 'process',
        message: `the application did not start again${after}${why ? `: ${why}` : ''}`,
        remedy:
          'Write state in one step (a transaction, or a new file that is renamed), and start with whatever was written.',
      }
}

/** The hint of a failure to start is what the application wrote to stderr. */
const withHint = ({ message, hint }: Error & { hint?: string | undefined }) =>
  hint === undefined ? message : `${message} stderr: ${hint}`
