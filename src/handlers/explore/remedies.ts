import {
  type CallInstant,
  type FailedAnswer,
  type Form,
  isOfCall,
  type Perturbation,
  type Schedule,
} from '../../scenarios/deliveries.ts'
import type { BeliefSection } from './belief.ts'
import type { BeliefDifference } from './differences.ts'
import { AROUND_CALLS, type Finding } from './finding.ts'
import { RELOADED } from './flow.ts'
import type { PlayResult } from './parts.ts'
import type { Value } from './truth.ts'

/** The part to check first, by section. */
const BY_SECTION: Readonly<Record<BeliefSection, string>> = {
  messages: 'Give each status a rank, and let an event only raise it.',
  consent:
    'Keep one record for each contact, channel and message type, and replace it only by an event with a later timestamp.',
  suppressed:
    'Suppress an address on STOP in any spelling, a hard bounce, a complaint and an unsubscription, and on nothing else.',
  replies: 'Count each event once: insert its id in the transaction that counts.',
  texts: 'Store the text as UTF-8, exactly as received, once for each event id.',
  postbacks: 'Decode postback_data from base64 as UTF-8, and store it once for each event id.',
  sessions: 'Store session_expires_at as received, and let only an event with a later timestamp replace it.',
  campaigns: 'Store the status of the event, and let only an event with a later timestamp replace it.',
  counts: 'Count each event once: insert its id in the transaction that counts.',
}

const ONCE = 'Insert the id of the event in the transaction of its work, and skip the work if the id exists already.'
const ANY_ORDER =
  'Expect events in any order: compare timestamps or ranks before one value replaces another, and create missing records.'
const DURABLE =
  'Write the event to durable storage before you answer 2xx. Mark it as done in the same transaction as its work, never before. After a start, go on with what is not done.'
const SIDE_BY_SIDE =
  'Make the check and the write one step: a unique key or a lock for the person, not a read followed by a write.'

const APART =
  'Pass the person and the event along with the work. Keep neither in a variable that requests share, and derive each key from both.'

/** With a disturbance, a second person may only make a race more likely. */
const PERHAPS_APART =
  'If that does not fix it, look for something that the two people share, such as a variable with the current person or event, or a key.'

const FORGET =
  'Look for what outlives the work on an event, such as a variable of the module, a reused buffer or object, or a cache with too short a key, and set each of its fields for each event.'

const GIVE_BACK =
  'Give back what a call has used, such as a slot, a connection or a lock, also after the service has refused it.'

const READ_ALL = 'After a start, know everything that you have stored, not only the newest records and ids.'

/** The fix for what a disturbance shows. */
const BY_DISTURBANCE: Readonly<Record<Perturbation['kind'], string>> = {
  duplicate: ONCE,
  replay: `${ONCE} Keep ids for longer than the service repeats events (a day and more).`,
  'lost-answer': ONCE,
  delay: ANY_ORDER,
  unavailable: `${ANY_ORDER} The first attempt that reaches you may have any number.`,
  timeout: SIDE_BY_SIDE,
  together: SIDE_BY_SIDE,
  spelling: 'Verify the raw bytes before you parse them, and parse with a JSON parser.',
  unknown: 'Answer 200 to an event that you do not know, and do nothing else with it.',
  'new-value': 'Ignore fields that you do not know, and treat an unknown value like the general case.',
  connection:
    'Read the whole body as bytes before you work on an event, and expect that a connection breaks or stalls.',
  forgery: 'Verify the signature before you do anything with a request, even before you store its id.',
  restart: DURABLE,
  kill: DURABLE,
  'failed-call':
    'Store the call in the database before you make it, and retry after 429, 5xx and a broken connection, with the same idempotency key.',
  outage:
    'Accept an event of any age: its signature proves that it is genuine, and its id shows whether it is new. Keep the id for two days from its arrival, not from its timestamp.',
  rotation: 'Read the secret on each request, or replace it in every process.',
  history:
    'Keep the ids of events in the database for longer than the service repeats them, not the last few in memory.',
  idle: 'Keep the ids of events for longer than the service repeats them (a day and more), not for a minute.',
}

const BY_FORM: Readonly<Partial<Record<Form, string>>> = {
  'other-id': 'Recognise an event by the id in its body: the signature does not cover X-Service-Event-Id.',
  headers: 'Ignore the case of header names, and parameters of the Content-Type such as charset=utf-8.',
  closed:
    'Include the reading of the body in your error handling, so that an error in one request never ends the process or blocks the next one.',
  stalled: 'Take a lock, a slot or a connection to the database only when the whole body has arrived.',
  pieces: 'Collect the pieces of a body as bytes (Buffer.concat), and decode once at the end.',
  orderly: 'On SIGTERM, keep everything that you have answered and not finished, as you must without a signal.',
  overtaken: 'Check before each attempt of a send, not only before the first one, whether it may still be made.',
  ending:
    'After SIGTERM, refuse new events, for example by closing the server, or store them before you answer. The service repeats what was refused.',
}

const BY_CALL_INSTANT: Readonly<Record<CallInstant, string>> = {
  read: 'Store the work in the transaction that stores the event, before any call: the service repeats the event, but your application knows it already.',
  call: 'Mark a call as done only after its answer. After a start, repeat every call that is not marked as done.',
  effect:
    'Derive the idempotency key from the event, or store it before the first attempt, so that the retry after a start has the same key.',
}

const remedyForDisturbance = (one: Perturbation, all: readonly Perturbation[]) => {
  if (one.kind === 'restart' && all.some(({ kind }) => kind === 'history')) return READ_ALL
  // Without its late event, the schedule passes.
  if (one.kind === 'history' && all.some(({ kind }) => kind === 'delay')) return undefined
  return isOfCall(one.at)
    ? BY_CALL_INSTANT[one.at]
    : (remedyForCall(one) ?? BY_FORM[one.form!] ?? BY_DISTURBANCE[one.kind])
}

export const AFTER_RELOAD = `Keep a send that was refused with 402, and make it when ${RELOADED} arrives.`

const BY_ANSWER: Readonly<Partial<Record<FailedAnswer, string>>> = {
  502: 'Check the status before you parse the body, because a proxy answers with HTML. Retry after every 429 and 5xx, not only after the first, and read a Retry-After that is a date.',
  402: AFTER_RELOAD,
  429: 'Wait as long as Retry-After requires, in seconds or until a date, however long that is, and then retry with the same idempotency key.',
  404: 'Do not retry a send to a phone without RCS, but continue with everything else, such as recording a STOP.',
  part: 'Treat an answer that breaks off as a failed call, and retry with the same idempotency key.',
  late: AROUND_CALLS,
  never: 'Set a time limit for each call (such as AbortSignal.timeout), and retry with the same idempotency key.',
}

const remedyForCall = ({ answer }: Perturbation): string | undefined => answer && BY_ANSWER[answer]

export function remedyFor({
  section,
  truth,
  isUntouched,
}: Pick<BeliefDifference, 'section' | 'truth' | 'isUntouched'>): string {
  if (isUntouched) return 'Change only the record that the event names: look for a query without its WHERE condition.'
  return section === 'consent' && truth === null
    ? 'Delete the consent of a contact on contact.deleted, and create none for it afterwards.'
    : BY_SECTION[section]
}

/** The field of an event that names the subject of a section. */
const KEY_OF: Readonly<Record<BeliefSection, string>> = {
  ...{ messages: 'message_id', consent: 'contact_id', suppressed: 'from (of a reply) or to (of an email)' },
  ...{ replies: 'from', texts: 'from', postbacks: 'from', sessions: 'from', campaigns: 'run_id', counts: 'event' },
}

/** The fix for a belief that is wrong without any disturbance; `cause` is the event that made the truth what it is. */
export function undisturbedRemedyFor(difference: BeliefDifference, cause: string, hasWrongKey: boolean): string {
  const { section, subject, believed, truth, isUntouched } = difference
  if (isUntouched || (section === 'consent' && truth === null)) return remedyFor(difference)
  if (hasWrongKey) return `Store it under ${KEY_OF[section]} of the event, exactly as received.`
  if (section === 'counts' && Number(believed) < Number(truth)) return `Count every ${subject}; one was not counted.`
  if (isLess(believed, truth)) {
    const handle = `Handle ${cause}: it was accepted, but ${section} does not show it at the end.`
    return section === 'suppressed' ? `${handle} ${BY_SECTION.suppressed} No later event undoes it.` : handle
  }
  if (section === 'messages' || section === 'campaigns' || section === 'consent')
    return `Set the status to ${JSON.stringify([truth].flat()[0])} on ${cause}, whatever it was before.`
  return section === 'sessions' && truth === null
    ? `End the session on ${cause}, even if another person's session has ended in the same way before.`
    : remedyFor(difference)
}

/** Whether something that happened is missing. */
function isLess(believed: Value, truth: Value): boolean {
  if (Array.isArray(believed) && Array.isArray(truth)) return believed.length < truth.length
  if (typeof believed === 'number') return believed < Number(truth)
  return believed === null || (believed === false && truth === true)
}

/** Disturbances that a remedy of the section explains further. */
const ABOUT_ORDER: ReadonlySet<Perturbation['kind']> = new Set(['delay', 'unavailable', 'together'])

/** Findings that say by themselves what a crowd has met. */
const SILENT: ReadonlySet<string> = new Set(['never-accepted', 'probe-failed'])

/** It fails for what is kept of other people, and not because their records change. */
export const isAfterOthers = (earlier: Schedule['earlier'], findings: readonly Finding[]): boolean =>
  earlier === true && !findings.some((finding) => finding.earlier)

/** Suggested changes: first those from the disturbances, then those from the findings. */
export function remediesOf(
  { findings, deliveries }: PlayResult,
  { perturbations, twice, crowd, earlier }: Schedule,
): string[] {
  const isRefused = deliveries.some(({ refusedCalls }) => refusedCalls.length > 0)
  const isUndisturbed = perturbations.length === 0
  // It has not come to the work on an event.
  const isNotStarted = findings.some(({ code }) => code === 'handler-not-restarted')
  const isSilent = findings.length > 0 && findings.every(({ code }) => SILENT.has(code))
  const remedyOf = (one: Perturbation) =>
    crowd && isSilent && one.kind === 'failed-call' ? AROUND_CALLS : remedyForDisturbance(one, perturbations)
  const isExplained = twice || crowd || (!isUndisturbed && !perturbations.some(({ kind }) => ABOUT_ORDER.has(kind)))
  const own = findings
    .filter(({ code }) => !isExplained || code !== 'belief-differs')
    .flatMap(({ remedy }) => remedy ?? [])
  return [
    ...new Set([
      ...(isAfterOthers(earlier, findings) ? [FORGET] : []),
      ...(twice && isUndisturbed ? [APART] : []),
      ...(crowd && isUndisturbed && !isSilent ? (isRefused ? [GIVE_BACK] : [SIDE_BY_SIDE, APART]) : []),
      ...(isNotStarted ? [] : perturbations.map(remedyOf)).filter((remedy) => remedy !== undefined),
      ...(twice && !isUndisturbed ? [PERHAPS_APART] : []),
      ...own,
    ]),
  ]
}
