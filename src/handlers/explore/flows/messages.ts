import { FailureReason } from '../../../words/vocabulary.ts'
import type { Flow } from '../flow.ts'
import { delivered, MESSAGES, readBy, send } from './steps.ts'

const failureReasons = FailureReason.options

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
    summary: 'Of two messages to a person, one is not delivered within its ttl',
    async run(stage) {
      const person = await stage.person(MESSAGES)
      const message_id = await send(stage, person, 'Your table is free')
      await delivered(stage, person)
      await stage.trigger('message.expired', { message_id })
    },
  },
  {
    name: 'revocation',
    summary: 'A message is revoked before it is delivered, within a second',
    isQuick: true,
    async run(stage) {
      const message_id = await send(stage, await stage.person(MESSAGES), 'Your table is free')
      await stage.client.messages.revoke(message_id)
    },
  },
  {
    name: 'low-balance',
    summary: 'The balance falls below its alert threshold',
    async run(stage) {
      const { client } = stage
      const person = await stage.person(MESSAGES)
      const { free } = await client.billing.balance()
      await client.billing.setAlerts({ enabled: true, threshold: Math.ceil(free) + 1 })
      await readBy(stage, person, 'Your order is on its way')
      await client.billing.setAlerts({ enabled: false })
    },
  },
]
