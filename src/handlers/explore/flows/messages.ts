import { FailureReason } from '../../../words/vocabulary.ts'
import type { Flow, Person, Stage } from '../flow.ts'
import { delivered, EMAILS, emailNewsletter, emailTo, MESSAGES, readBy, send } from './steps.ts'

const failureReasons = FailureReason.options

/** An email expires and is revoked with the events of RCS messages, which name its channel instead of an agent. */
const CHANNELS = [
  { consent: MESSAGES, queued: (stage: Stage, person: Person) => send(stage, person, 'Your table is free'), delivered },
  { consent: EMAILS, queued: emailNewsletter, delivered: emailTo },
] as const

/** The simulated payment of a reload is refused where the balance would exceed its maximum. */
const RELOADS = [10, 5_000] as const
/** Any balance is below this threshold, also in a saved flow. */
const threshold = 1_000_000

export const messageFlows: readonly Flow[] = [
  {
    name: 'order-notification',
    summary: 'A message is sent, delivered and read',
    async run(stage) {
      await readBy(stage, await stage.person(MESSAGES), 'Your order is on its way')
    },
  },
  {
    name: 'failure',
    summary: 'A message cannot be delivered',
    variants: failureReasons.length,
    async run(stage) {
      const message_id = await send(stage, await stage.person(MESSAGES), 'Your order is on its way')
      const failure_reason = stage.pick('failure reason', failureReasons)
      await stage.trigger('message.failed', { message_id, failure_reason })
    },
  },
  {
    name: 'expiry',
    summary: 'Of two messages or emails to a person, one is not delivered within its ttl',
    variants: CHANNELS.length,
    async run(stage) {
      const { consent, queued, delivered } = stage.pick('channel', CHANNELS)
      const person = await stage.person(consent)
      const message_id = await queued(stage, person)
      await delivered(stage, person)
      await stage.trigger('message.expired', { message_id })
    },
  },
  {
    name: 'revocation',
    summary: 'A message or an email is revoked before it is delivered, within a second',
    variants: CHANNELS.length,
    isQuick: true,
    async run(stage) {
      const { consent, queued } = stage.pick('channel', CHANNELS)
      await stage.client.messages.revoke(await queued(stage, await stage.person(consent)))
    },
  },
  {
    name: 'low-balance',
    summary: 'The balance falls below its alert threshold, and is reloaded automatically, or the reload fails',
    variants: RELOADS.length,
    async run(stage) {
      const { client, pick } = stage
      const person = await stage.person(MESSAGES)
      await client.billing.setAlerts({ enabled: true, threshold })
      await client.billing.setAutoReload({ enabled: true, threshold, amount: pick('reload', RELOADS) })
      await delivered(stage, person)
      await client.billing.setAutoReload({ enabled: false })
      await client.billing.setAlerts({ enabled: false })
    },
  },
  {
    name: 'late-reload',
    summary: 'A user answers, and the balance is reloaded automatically afterwards',
    async run(stage) {
      const { client, trigger } = stage
      const message_id = await delivered(stage, await stage.person(MESSAGES))
      await trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await client.billing.setAutoReload({ enabled: true, threshold, amount: RELOADS[0] })
      await client.billing.setAutoReload({ enabled: false })
    },
  },
]
