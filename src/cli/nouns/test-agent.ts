import type { NounCommands } from '../generate/noun.ts'

export const commands: NounCommands<'testAgent'> = {
  verbs: {
    register: {
      done: 'code sent to {phone}',
      positional: ['phone'],
      examples: ['sandbox test-agent register +491713920000'],
    },
    verify: {
      positional: ['phone', 'code'],
      done: '{phone} verified',
      examples: ['sandbox inbox show +491713920000', 'sandbox test-agent verify +491713920000 123456'],
    },
    send: {
      positional: ['to'],
      done: 'message {message_id} is {status}',
      money: ['hold_amount', 'message_price', 'free', 'reserved', 'total'],
      examples: [`sandbox test-agent send +491713920000 --traffic-type TRANSACTION --content '{"text": "Hello"}'`],
    },
  },
}
