import { sleep } from '../../http/sleep.ts'
import { isAccepted } from '../post.ts'
import { type Check, type CheckTools, judgeAnswers } from './check.ts'

const UNICODE = 'Grüße 👩🏽‍🚒 مرحبا \u202e שלום 日本語 e\u0301 \u2028 "\\\\'

const GROWS = 'The service may add events and fields at any time, and repeats refused events for a day.'

const userSays = (tools: CheckTools, text: string) =>
  tools.samples.event('conversation.started', { data: { user_message: { type: 'text', text, postback_data: null } } })

/**
 * An answer to another event shows that the first piece was read; a handler that serves one connection at a time never
 * answers.
 */
const untilRead = (tools: CheckTools) =>
  Promise.race([tools.post(tools.samples.event('message.delivered')), sleep(READ_MS)])

const READ_MS = 500

export const toleranceChecks: readonly Check[] = [
  {
    name: 'unknown-event',
    group: 'tolerance',
    claim: 'Accepts an event with an unknown name',
    why: GROWS,
    remedy: 'Add a default case that answers 200 to the switch over event names.',
    async run(tools) {
      const answers = []
      for (const event of ['message.folded', 'paper.folded'])
        answers.push(await tools.post(tools.samples.event('webhook.test', { envelope: { event, data: { folds: 3 } } })))
      return judgeAnswers('a signed message.folded and paper.folded, which do not exist yet', answers, isAccepted)
    },
  },
  {
    name: 'added-fields',
    group: 'tolerance',
    claim: 'Accepts unknown fields',
    why: GROWS,
    remedy: 'Read the fields that you need and ignore the others: no additionalProperties: false, no strict().',
    async run(tools) {
      const added = { added_later: { and: ['nested', null, 1.5] } }
      const event = tools.samples.event('message.delivered', { data: added })
      const more = { ...event, body: JSON.stringify({ ...JSON.parse(event.body), ...added }) }
      return judgeAnswers(
        'a signed message.delivered with a new field outside and inside data',
        [await tools.post(more)],
        isAccepted,
      )
    },
  },
  {
    name: 'unicode',
    group: 'tolerance',
    claim: 'Accepts text with emoji, right-to-left scripts and combining marks',
    why: 'A handler that verifies or stores text in an encoding other than UTF-8 loses these messages.',
    remedy: 'Hash bytes, not strings, and store text as UTF-8 (utf8mb4 in MySQL).',
    run: async (tools) =>
      judgeAnswers(
        'a signed conversation.started with text in many scripts',
        [await tools.post(userSays(tools, UNICODE))],
        isAccepted,
      ),
  },
  {
    name: 'unicode-in-pieces',
    group: 'tolerance',
    claim: 'Accepts a body that arrives in two pieces, cut inside a character',
    why: 'A network may split a body at any byte. A handler that decodes each piece by itself breaks the character and the signature.',
    remedy: 'Collect the pieces as bytes (Buffer.concat), and decode once at the end.',
    async run(tools) {
      const event = userSays(tools, `🚒${UNICODE}`)
      return judgeAnswers(
        'a signed conversation.started, cut inside an emoji',
        [await tools.postInPieces(event, () => untilRead(tools))],
        isAccepted,
      )
    },
  },
]
