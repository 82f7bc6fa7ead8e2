import type { Flow } from '../flow.ts'
import { MESSAGES, read, readBy, send, stop } from './steps.ts'

/** What breaks SQL, HTML, CSV, format strings and normal forms. */
const ODD_TEXT = `Cafe\u0301, O'Brien "quoted" \\ <b>&amp;</b> 100 % {0} $1; \u2019\u201c\u00a0tab\tline\r\n`
/** The longest text (interface §2.4), in twice as many bytes. */
const LONG_TEXT = `${ODD_TEXT.padEnd(3_069, 'δουλειά χωρίς παιχνίδι ')}end`
/** Any cut at a number of UTF-16 units goes through a character of the one or the other. */
const EMOJI = '👍'.repeat(100)
/** Texts that a user sends within a second. The long one is in both, because only one of them is disturbed with a seed. */
const AT_ONCE = [
  ['Yes', 'Yes', LONG_TEXT],
  [EMOJI, `!${EMOJI}`, LONG_TEXT],
] as const
/** An application may keep the last 50 texts, or read the first page of 50 messages. */
const MANY = 55

/** The postback data is neither JSON nor ASCII, and has the characters of base64 that URLs have not; or it is binary. */
const SUGGESTIONS = [
  { reply: { text: 'Yes', postback_data: Buffer.from('Friday, 8 p.m.? ✓ ~~~').toString('base64') } },
  { action: { text: 'Look at the map', open_url: { url: 'https://shop.example/map' } } },
  { reply: { text: 'Maybe', postback_data: Buffer.of(0xff, 0xfe, 0x00).toString('base64') } },
] as const

export const conversationFlows: readonly Flow[] = [
  {
    name: 'conversation',
    summary: 'A user answers twice, and the session ends',
    async run(stage) {
      const { trigger, clock } = stage
      const person = await stage.person(MESSAGES)
      const message_id = await readBy(stage, person, 'Does Friday suit you?')
      await trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await clock.advance('10m')
      await trigger('conversation.started', { message_id, text: 'Or Saturday? 👍 Grüße' })
      await clock.advance('10m')
      await trigger('conversation.ended', { phone: person.phone })
    },
  },
  {
    name: 'open-conversation',
    summary: 'A user answers twice, and the session stays open',
    async run(stage) {
      const { trigger, clock } = stage
      const message_id = await readBy(stage, await stage.person(MESSAGES), 'Does Friday suit you?')
      await trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await clock.advance('10m')
      await trigger('conversation.started', { message_id, text: 'At eight' })
    },
  },
  {
    name: 'reopened-session',
    summary: 'A session ends, and a later answer opens a new one',
    async run(stage) {
      const { trigger, clock } = stage
      const person = await stage.person(MESSAGES)
      const message_id = await readBy(stage, person, 'Does Friday suit you?')
      await trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await trigger('conversation.ended', { phone: person.phone })
      await clock.advance('10m')
      await trigger('conversation.started', { message_id, text: 'One more thing' })
    },
  },
  {
    name: 'texts',
    summary:
      'Within a second, a user sends the same text twice, or two of nothing but emoji, and a long one with unusual characters',
    variants: AT_ONCE.length,
    isQuick: true,
    async run(stage) {
      const message_id = await readBy(stage, await stage.person(MESSAGES), 'Does Friday suit you?')
      for (const text of stage.pick('texts', AT_ONCE)) await stage.trigger('conversation.started', { message_id, text })
    },
  },
  {
    name: 'long-conversation',
    summary: `A user sends ${MANY} texts`,
    isUndisturbed: true,
    async run(stage) {
      const message_id = await readBy(stage, await stage.person(MESSAGES), 'Does Friday suit you?')
      for (let i = 1; i <= MANY; i++) await stage.trigger('conversation.started', { message_id, text: `Text ${i}` })
    },
  },
  {
    name: 'two-agents',
    summary: 'A user gets messages of two agents, and answers the second one',
    async run(stage) {
      const person = await stage.person(MESSAGES)
      await readBy(stage, person, 'Does Friday suit you?')
      const message_id = await readBy({ ...stage, agentId: stage.otherAgentId }, person, 'Your order is on its way')
      await stage.trigger('conversation.started', { message_id, text: 'Thank you' })
    },
  },
  {
    name: 'tap',
    summary: 'A user taps a suggested reply or action',
    variants: SUGGESTIONS.length,
    async run(stage) {
      const suggestion = stage.pick('suggestion', SUGGESTIONS)
      const message_id = await send(stage, await stage.person(MESSAGES), 'Does Friday suit you?', suggestion)
      await read(stage, message_id)
      await stage.trigger('conversation.started', { message_id, index: 0 })
    },
  },
  {
    name: 'two-people',
    summary:
      'Two people, whose phone numbers differ in the country only, get a message and answer at the same time; later, one of them answers STOP',
    async run(stage) {
      const one = await stage.person(MESSAGES)
      const other = await stage.person(MESSAGES, one)
      const [first, second] = [await send(stage, one, 'To you'), await send(stage, other, 'To you')]
      await read(stage, first)
      await read(stage, second)
      await stage.trigger('conversation.started', { message_id: second, text: 'Me, too' })
      await stage.trigger('conversation.started', { message_id: first, text: 'Thank you' })
      await stop(stage, second)
    },
  },
]
