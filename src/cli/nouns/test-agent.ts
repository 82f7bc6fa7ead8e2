import type { NounCommands } from '../noun.ts'

export const commands: NounCommands<'testAgent'> = {
  verbs: {
    register: { positional: ['phone'], examples: ['sandbox test-agent register +491713920000'] },
    verify: {
      positional: ['phone', 'code'],
      examples: ['sandbox inbox show +491713920000', 'sandbox test-agent verify +491713920000 123456'],
    },
    send: {
      positional: ['to'],
      examples: [`sandbox test-agent send +491713920000 --traffic-type TRANSACTION --content '{"text": "Hello"}'`],
    },
  },
}
