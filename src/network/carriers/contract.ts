import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Address } from '../../words/address.ts'
import { requireChange } from '../../words/change.ts'
import { operation } from '../../words/operation.ts'
import { DelayRange } from '../../words/range.ts'
import { Share } from '../../words/share.ts'
import { FailureReason } from '../../words/vocabulary.ts'
import { Behaviour } from './behaviour.ts'
import { doAddUp } from './shares.ts'

export const about: About = {
  name: 'carriers',
  group: 'Simulated network',
  summary: 'Show simulated carriers and set outages, delays and failures',
}

/** Messages that may leave the queue for a carrier in a second. */
const Throughput = z.number().min(0.001).max(10_000)

const fields = {
  weight: z.number().positive().describe('Weight of the carrier in the distribution of ordinary phone numbers.'),
  dispatch_delay: DelayRange.describe('Delay from queued to dispatched.'),
  delivery_delay: DelayRange.describe('Delay from dispatched to delivered.'),
  failure_delay: DelayRange.describe('Delay from dispatched to failed.'),
  read_delay: DelayRange.describe('Delay from delivered to read.'),
  delivered: Share.describe(
    'Share of messages delivered: the rest after failed and never_delivered, so it is optional.',
  ),
  read: Share.describe('Share of delivered messages that are read.'),
  failed: z.partialRecord(FailureReason, Share).describe('Share of messages that fail, by failure_reason.'),
  never_delivered: Share.describe('Share of messages that expire at their ttl.'),
  outage: z.boolean().describe('Whether the carrier is in an outage. Messages stay queued and are retried.'),
  throughput: Throughput.nullable().describe(
    'Throughput limit in messages per second of world time; other messages wait in the queue. null: no limit.',
  ),
}

/** The fields that a carrier is set by. `delivered` is not set: it is the share that the others leave. */
export const ownFields = Object.keys(fields).filter((field) => field !== 'delivered')

export const CarrierName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/)
  .meta({ id: 'CarrierName', example: 'nordfunk', description: 'Name of a carrier.' })

/** The ways of a simulated carrier with messages. All that neither fail nor are lost are delivered. */
export const CarrierProfile = z
  .strictObject({
    name: CarrierName,
    ...fields,
    weight: fields.weight.default(1),
    dispatch_delay: fields.dispatch_delay.prefault('100ms..400ms'),
    delivery_delay: fields.delivery_delay.prefault('300ms..1500ms'),
    failure_delay: fields.failure_delay.prefault('300ms..1500ms'),
    read_delay: fields.read_delay.prefault('600ms..3s'),
    delivered: fields.delivered.optional(),
    read: fields.read.default(1),
    failed: fields.failed.default({}),
    never_delivered: fields.never_delivered.default(0),
    outage: fields.outage.default(false),
    throughput: fields.throughput.optional(),
  })
  .refine(doAddUp, 'delivered, failed and never_delivered must add up to 1')
export type CarrierProfile = z.infer<typeof CarrierProfile>

export const Preset = z.enum(['perfect', 'realistic', 'flaky', 'down'])
export type Preset = z.infer<typeof Preset>

/** Given fields change, the others stay. Shares are numbers from 0 to 1, or percent in quotes. */
const CarrierChange = requireChange(
  z.strictObject({
    preset: Preset.optional().describe('Preset of all settings; the other fields of this call override it.'),
    ...(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.optional()])) as {
      [F in keyof typeof fields]: z.ZodOptional<(typeof fields)[F]>
    }),
  }),
).meta({ example: { outage: true } })
export type CarrierChange = z.output<typeof CarrierChange>

export const Delay = z
  .string()
  .describe('2s, 300ms..2s (random between the two), or ~1s..8s (log-normal; 90% of the draws are in the range).')

/** A carrier as it is now. */
export const Carrier = z
  .strictObject({
    name: CarrierName,
    weight: z.number().describe(fields.weight.description!),
    dispatch_delay: Delay,
    delivery_delay: Delay,
    failure_delay: Delay,
    read_delay: Delay,
    delivered: z.number().describe('Share of messages delivered: the rest after failed and never_delivered.'),
    read: z.number().describe(fields.read.description!),
    failed: z.partialRecord(FailureReason, z.number()).describe(fields.failed.description!),
    never_delivered: z.number().describe(fields.never_delivered.description!),
    outage: z.boolean().describe(fields.outage.description!),
    throughput: z.number().nullable().describe(fields.throughput.description!),
    changed: z.array(z.string()).describe('Settings that differ from the world file; a reset restores them.'),
    waiting: z.int().describe('Number of messages that wait because of the throughput limit.'),
  })
  .meta({ id: 'Carrier', description: 'Current settings of a simulated carrier.' })

const Carriers = z.strictObject({ carriers: z.array(Carrier).describe('Carriers in the order of the world file.') })

const params = { name: CarrierName.describe('Name of the carrier.') }

export const listCarriers = operation({
  id: 'carriers.list',
  summary: 'List the simulated carriers and their settings',
  call: 'GET /_sandbox/carriers',
  access: 'namespace',
  output: Carriers,
})

export const showCarrier = operation({
  id: 'carriers.show',
  summary: 'Show a simulated carrier',
  call: 'GET /_sandbox/carriers/{name}',
  access: 'namespace',
  params,
  output: Carrier,
  problems: ['not_found'],
})

export const updateCarrier = operation({
  id: 'carriers.update',
  summary: 'Change the settings of a simulated carrier',
  details: 'The settings apply to messages sent from now on.',
  call: 'PATCH /_sandbox/carriers/{name}',
  access: 'namespace',
  params,
  body: CarrierChange,
  examples: [{ failed: { REJECTED_SPAM: 0.2 } }, { throughput: 5 }, { preset: 'perfect' }],
  output: Carrier,
  problems: ['not_found'],
})

export const updateCarriers = operation({
  id: 'carriers.updateAll',
  summary: 'Change the settings of all simulated carriers',
  details: 'The settings apply to messages sent from now on.',
  call: 'PATCH /_sandbox/carriers',
  access: 'namespace',
  body: CarrierChange,
  output: Carriers,
})

export const resetCarrier = operation({
  id: 'carriers.reset',
  summary: 'Reset a simulated carrier to the world file',
  call: 'POST /_sandbox/carriers/{name}/reset',
  access: 'namespace',
  params,
  output: Carrier,
  problems: ['not_found'],
})

export const resetCarriers = operation({
  id: 'carriers.resetAll',
  summary: 'Reset all simulated carriers to the world file',
  call: 'POST /_sandbox/carriers/reset',
  access: 'namespace',
  output: Carriers,
})

/** Section `carriers` of a world file. */
export const CarrierList = z
  .array(CarrierProfile)
  .min(1)
  .prefault([
    { name: 'nordfunk', weight: 4 },
    { name: 'rheinmobil', weight: 4 },
    { name: 'alpentel', weight: 2 },
  ])
  .describe('Simulated carriers: delays, shares and outages (default: three ordinary carriers).')

/** The ways of the simulated mail server with email. */
export const MailProfile = z.strictObject({
  dispatch_delay: DelayRange.prefault('100ms..500ms').describe('Delay from queued to sent.'),
  delivery_delay: DelayRange.prefault('300ms..1500ms').describe('Delay from sent to delivered or bounced.'),
  open_delay: DelayRange.prefault('800ms..3s').describe('Delay from delivered to opened.'),
  click_delay: DelayRange.prefault('800ms..3s').describe('Delay from opened to clicked.'),
  bounced: Share.default(0).describe('Share of hard bounces.'),
  opened: Share.default(0).describe('Share of delivered emails that are opened.'),
  clicked: Share.default(0).describe('Share of opened emails whose first link is clicked.'),
  complained: Share.default(0).describe('Share of delivered emails that are marked as spam.'),
})
export type MailProfile = z.infer<typeof MailProfile>

/** A recipient whose outcome is always the same. Where a field is absent, the next layer decides. */
export const MagicRecipient = z.strictObject({
  address: Address.describe('Phone number or email address.'),
  does: z.string().describe('Fixed outcome, for people.'),
  rcs_capable: z.boolean().optional(),
  ...Behaviour.shape,
})
export type MagicRecipient = z.infer<typeof MagicRecipient>
