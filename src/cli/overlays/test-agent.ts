import type { Overlay } from '../overlay.ts'

export const testAgent: Record<string, Overlay> = {
  'testAgent.register': { positional: ['phone'], examples: ['sandbox test-agent register +491713920000'] },
  'testAgent.verify': {
    positional: ['phone', 'code'],
    examples: ['sandbox inbox show +491713920000', 'sandbox test-agent verify +491713920000 123456'],
  },
  'testAgent.send': {
    positional: ['to'],
    examples: [`sandbox test-agent send +491713920000 --traffic-type TRANSACTION --content '{"text": "Hello"}'`],
  },
}
