import { z } from 'zod'
import { eventNames } from '../../service/events/catalogue.ts'
import { isRecord } from '../../words/json.ts'
import { validate } from '../../words/validate.ts'

const ConsentStatus = z.enum(['GRANTED', 'PENDING', 'REVOKED'])
const ConsentRecords = z.record(z.string(), ConsentStatus.nullable())

/** Causes of a send: an event of the catalogue, or a reply by what it says. */
const causes = ['reply', 'stop', ...eventNames] as const
export type Cause = (typeof causes)[number]

/** The sections about subjects, which are compared with the truth. */
const compared = {
  messages: z.record(z.string(), z.string().nullable()).optional().describe('Status of each message, by message_id.'),
  consent: z
    .record(z.string(), ConsentRecords)
    .optional()
    .describe(
      'Status of consent, by contact_id, then by channel and message type: `RCS/NEWSLETTER`; null or absent after contact.deleted.',
    ),
  suppressed: z
    .record(z.string(), z.boolean())
    .optional()
    .describe(
      'true for phone numbers and email addresses that must get no messages: after STOP, a hard bounce, a complaint, an unsubscription.',
    ),
  replies: z.record(z.string(), z.int()).optional().describe('Number of messages received from a phone number.'),
  texts: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      'Texts from a phone number (`user_message.text`), exactly as received, in any order, with the labels of tapped suggestions.',
    ),
  postbacks: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Postback data of the suggested replies tapped on a phone number, decoded from base64, in any order.'),
  sessions: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe('End of the open session with a phone number; null when it has ended.'),
  campaigns: z.record(z.string(), z.string()).optional().describe('Status of each run of a campaign, by run_id.'),
  counts: z
    .partialRecord(z.enum(eventNames as [string]), z.int())
    .optional()
    .describe('Number of events with this name that the application has handled; each event counts once.'),
}

/** What is compared with the application's own answer after an undisturbed flow. */
const own = {
  records: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Anything else that the application keeps about a person, a message or another record of a flow, by its id or address. It must be the same with and without disturbances.',
    ),
}

/** The sections that say how to compare. */
const hints = {
  sends: z
    .partialRecord(z.enum(causes as unknown as [string]), z.int().min(0))
    .optional()
    .describe(
      'A rule: the number of messages that the application sends to a person for each cause. `reply` is an inbound message that is not STOP, `stop` is STOP; every other cause is the name of an event.',
    ),
  pending: z
    .union([z.int().min(0), z.boolean()])
    .optional()
    .describe(
      'Number of events in a queue of the application and of calls that it will make or retry, or true. The explorer waits for 0 before it compares.',
    ),
}

/** The name of the hint without which a failed call cannot be judged. */
export const PENDING = 'pending' satisfies keyof typeof hints

/** The name of the section that is compared with what the application says after the undisturbed flow. */
export const RECORDS = 'records' satisfies keyof typeof own

/** The answer of an application's truth probe. Sections are optional; missing ones are not compared. */
const Belief = z.strictObject({ ...compared, ...own, ...hints })
export type Belief = z.output<typeof Belief>
export type BeliefSection = keyof typeof compared

export const comparedSections = Object.keys(compared) as BeliefSection[]

/** The sections by which an application can be wrong; calls that it makes are audited as well. */
export const testedSections: readonly string[] = [
  ...comparedSections,
  ...Object.keys(own),
  'sends' satisfies keyof typeof hints,
]

/** The sections with descriptions, for documents. */
export const sections = [
  ...Object.entries({ ...compared, ...own, ...hints }).map(([name, { description }]) => ({
    name,
    content: description!,
  })),
  { name: 'x-…', content: 'Anything else, for your own use; not compared.' },
]

/** Validates a probe's answer without its own sections; throws a Problem that names its faults. */
export const beliefFrom = (value: unknown): Belief => validate(Belief, inOneForm(value), 'answer of the truth probe')

/** The same for an answer that is as valid as the last one: large ones are not validated again. */
export const beliefAsBefore = (value: unknown): Belief => inOneForm(value) as Belief

/** The last part of the names of events that the explorer invents; an application may count these, too. */
export const INVENTED = 'folded'

/** Leaves out the application's own sections and the counters of invented events. A contact without consent records may have null. */
function inOneForm(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { counts, consent } = value
  const own = {
    ...value,
    ...(isRecord(counts) && { counts: without(counts, (name) => name.endsWith(`.${INVENTED}`)) }),
    ...(isRecord(consent) && {
      consent: Object.fromEntries(Object.entries(consent).map(([id, records]) => [id, records ?? {}])),
    }),
  }
  return without(own, (name) => name.startsWith('x-'))
}

const without = (record: Record<string, unknown>, isLeftOut: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !isLeftOut(name)))
