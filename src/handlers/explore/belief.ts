import { z } from 'zod'
import { eventNames } from '../../service/events/catalogue.ts'
import { validate } from '../../words/validate.ts'

const ConsentStatus = z.enum(['GRANTED', 'PENDING', 'REVOKED'])

/** The answer of an application's truth probe. Sections are optional; missing ones are not compared. */
const Belief = z.strictObject({
  messages: z.record(z.string(), z.string().nullable()).optional().describe('Status of each message, by message_id.'),
  consent: z
    .record(z.string(), z.record(z.string(), ConsentStatus))
    .optional()
    .describe('Status of consent, by contact_id and by channel and kind: `RCS/NEWSLETTER`.'),
  suppressed: z
    .record(z.string(), z.boolean())
    .optional()
    .describe(
      'true for phones and email addresses that must not be sent to: after STOP, a hard bounce, a complaint, an unsubscription.',
    ),
  replies: z.record(z.string(), z.int()).optional().describe('How many messages came from a phone.'),
  sessions: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe('Until when a session with a phone is open; null when it has ended.'),
  campaigns: z.record(z.string(), z.string()).optional().describe('Status of each run of a campaign, by run_id.'),
  counts: z
    .partialRecord(z.enum(eventNames as [string]), z.int())
    .optional()
    .describe('How many events of a name were acted on, ever; each event counts once.'),
})
export type Belief = z.output<typeof Belief>
export type BeliefSection = keyof Belief

/** The sections with descriptions, for documents. */
export const sections = Object.entries(Belief.shape).map(([name, { description }]) => ({ name, says: description! }))

/** Validates a probe's answer; throws a Problem that names its faults. */
export const beliefFrom = (value: unknown): Belief => validate(Belief, value, 'answer of the truth probe')
