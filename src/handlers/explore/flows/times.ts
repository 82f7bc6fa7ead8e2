import type { Flow } from '../flow.ts'
import { instants } from '../instants.ts'
import { delivered, MESSAGES, revoke } from './steps.ts'

export const timeFlows: readonly Flow[] = [
  {
    name: 'turn-of-time',
    summary:
      'A user answers before and after the turn of the year or a change of clocks, and a consent is revoked after it',
    variants: instants.length,
    instants,
    isUndisturbed: true,
    async run(stage) {
      const person = await stage.person(MESSAGES)
      const message_id = await delivered(stage, person)
      for (const text of ['Friday is fine', 'Or Saturday?'])
        await stage.trigger('conversation.started', { message_id, text })
      await stage.trigger('message.read', { message_id })
      await revoke(stage, person)
    },
  },
]
