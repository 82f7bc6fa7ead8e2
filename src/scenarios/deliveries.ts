import { z } from 'zod'

const event = z.int().min(0).describe('Index of the event in the flow, from 0, in the order in which events happened.')
const after = z.int().min(1).describe('Number of places later.')

/** Instants of a delivery at which an application can be killed. */
export const deliveryInstants = ['arrival', 'work', 'answer'] as const
/** The same of the first call that it causes: before a read is answered, before a change is made, and before its answer. */
export const callInstants = ['read', 'call', 'effect'] as const
export type CallInstant = (typeof callInstants)[number]
export const killInstants = [...deliveryInstants, ...callInstants] as const
export type KillInstant = (typeof killInstants)[number]

export const isOfCall = (at: KillInstant | undefined): at is CallInstant =>
  (callInstants as readonly (KillInstant | undefined)[]).includes(at)

/**
 * Answers to the first calls that a delivery causes: errors without any effect, none or a part of one after the effect, or
 * never one; to each send until the balance is reloaded; or the usual ones, which come late.
 */
export const callAnswers = ['503', '429', 'none', '502', '404', 'part', 'never', '402', 'late'] as const
export type FailedAnswer = (typeof callAnswers)[number]

/** The answer to a call that fails. */
export interface FailedCall {
  answer: FailedAnswer
  /** Machine time: Retry-After of a 429, or the time to give the call up. */
  seconds?: number | undefined
}

/** Forms of disturbances. All but that of a failed call do not depend on the event. */
export const forms = {
  forgery: ['unsigned', 'empty', 'truncated', 'other-id'],
  spelling: ['headers'],
  connection: ['closed', 'stalled', 'pieces'],
  restart: ['orderly', 'ending'],
  'failed-call': ['overtaken'],
} as const
export type Form = (typeof forms)[keyof typeof forms][number]

/** The disturbances of a delivery to a handler. */
export const kinds = {
  duplicate: z.strictObject({ kind: z.literal('duplicate'), event }),
  replay: z.strictObject({ kind: z.literal('replay'), event, after }),
  delay: z.strictObject({ kind: z.literal('delay'), event, after }),
  'lost-answer': z.strictObject({ kind: z.literal('lost-answer'), event, after }),
  unavailable: z.strictObject({ kind: z.literal('unavailable'), event, after }),
  timeout: z.strictObject({ kind: z.literal('timeout'), event }),
  together: z.strictObject({ kind: z.literal('together'), event }),
  spelling: z.strictObject({
    kind: z.literal('spelling'),
    event,
    form: z
      .enum(forms.spelling)
      .optional()
      .describe('Other spellings of the headers (default: unusual blanks, escapes and order of fields in the body).'),
  }),
  unknown: z.strictObject({ kind: z.literal('unknown'), event }),
  'new-value': z.strictObject({ kind: z.literal('new-value'), event }),
  forgery: z.strictObject({
    kind: z.literal('forgery'),
    event,
    form: z
      .enum(forms.forgery)
      .optional()
      .describe(
        'The second forgery: no signature, an empty one, the first half of the right one, or the genuine body with another id in X-Service-Event-Id (default: another body under the signature of the event).',
      ),
  }),
  connection: z.strictObject({
    kind: z.literal('connection'),
    event,
    form: z
      .enum(forms.connection)
      .describe(
        'The connection is closed in the middle of the body, and the event is repeated; another connection has stalled; or the body arrives in two pieces.',
      ),
  }),
  restart: z.strictObject({
    kind: z.literal('restart'),
    event,
    form: z
      .enum(forms.restart)
      .optional()
      .describe(
        'The application is asked to end with SIGTERM, after the event, or while the event arrives (default: it is killed after the event).',
      ),
  }),
  kill: z.strictObject({
    kind: z.literal('kill'),
    event,
    at: z
      .enum(killInstants)
      .describe(
        'Instant of the kill: on arrival, during the work, just before the answer, at the first read that the event causes, or before or after the effect of its first change.',
      ),
  }),
  'failed-call': z.strictObject({
    kind: z.literal('failed-call'),
    event,
    answer: z
      .enum(callAnswers)
      .describe(
        "Answer to the first call that the event causes: a 503 or a 429 without any effect, a proxy's page with 502 and then 429 to the first two, 404 to each send, none or half of it after the effect, or never one; 402 to each send until billing.auto_reload_success arrives; or the usual one, but only when the event has arrived for all people.",
      ),
    form: z
      .enum(forms['failed-call'])
      .optional()
      .describe('The next event arrives between the failure and the retry (default: it arrives after the retry).'),
    seconds: z
      .int()
      .min(1)
      .max(86_400)
      .optional()
      .describe(
        'Machine time: Retry-After of a 429 (default: 1), or the time in which a call that is never answered must be given up (default: 120).',
      ),
  }),
  rotation: z.strictObject({ kind: z.literal('rotation'), event }),
  outage: z.strictObject({ kind: z.literal('outage'), event }),
  history: z.strictObject({
    kind: z.literal('history'),
    event,
    others: z
      .int()
      .min(1)
      .max(10_000)
      .describe(
        'Number of other events before the repetition, or before the first delivery of an event that is also delayed.',
      ),
  }),
  idle: z.strictObject({
    kind: z.literal('idle'),
    event,
    seconds: z.int().min(0).max(86_400).describe('Machine time before the repetition.'),
  }),
} as const

export type PerturbationKind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as PerturbationKind[]

/** `form`, `after`, `at`, `answer`, `others` and `seconds` exist where the kind has them. */
export interface Perturbation {
  kind: PerturbationKind
  event: number
  form?: Form
  after?: number
  at?: KillInstant
  answer?: FailedAnswer
  others?: number
  seconds?: number
}

/** An application waits long for the end of such a failure. */
export const isSlowCall = ({ kind, answer, seconds }: Perturbation): boolean =>
  kind === 'failed-call' && (answer === 'never' || seconds !== undefined)

/** The delivered events with their disturbances. */
export interface Schedule {
  /** Indices of the delivered events, as if the endpoint were not subscribed to the others. */
  events: readonly number[]
  perturbations: readonly Perturbation[]
  /** The application sends messages, which this schedule alone may not show. */
  sends?: true | undefined
  /** The application changes records of people whose flows were played before, or keeps something of these. */
  earlier?: true | undefined
  /** The same happens to two people at once. */
  twice?: true | undefined
  /** The same happens to a crowd at once, or to this number of people. */
  crowd?: true | typeof LARGE_CROWD | undefined
  /** The events follow each other within a second. */
  quick?: true | undefined
}

/** The people of a crowd. */
export const CROWD = 32
/** An application may work on 100 at a time. */
export const LARGE_CROWD = 110

/** A schedule with its flow. */
export interface SavedSchedule extends Schedule {
  flow: string
  /** Seed of the flow's choices. */
  draw: string
}

/** The form in scenario files. */
export const Deliveries = z.strictObject({
  events: z.array(z.int().min(0)).min(1).describe('Indices of the delivered events, from 0.'),
  perturbations: z
    .array(z.discriminatedUnion('kind', Object.values(kinds) as unknown as [(typeof kinds)['delay']]))
    .describe('Disturbances of their delivery.'),
  sends: z.literal(true).optional().describe('The application sends messages, also where this flow does not show it.'),
  earlier: z
    .literal(true)
    .optional()
    .describe('Other flows are played before, because it changes records of their people, or keeps something of them.'),
  twice: z.literal(true).optional().describe('The same happens to two people at once.'),
  crowd: z
    .literal([true, LARGE_CROWD])
    .optional()
    .describe(`The same happens to ${CROWD} people at once, or to ${LARGE_CROWD}.`),
  quick: z.literal(true).optional().describe('The events follow each other within a second.'),
})
