import { expect, test } from 'vitest'
import { z } from 'zod'
import { Phone } from '../../src/words/phone.ts'
import { Problem } from '../../src/words/problem.ts'
import { nearest, suggest } from '../../src/words/suggest.ts'
import { text } from '../../src/words/text.ts'
import { MOST_FAULTS, validate } from '../../src/words/validate.ts'

const Reply = z.strictObject({ reply: z.strictObject({ text: text(25, 1), postback_data: z.string() }) })
const Action = z.strictObject({
  action: z.strictObject({ text: text(25, 1), open_url: z.strictObject({ url: z.string() }).optional() }),
})
const Send = z.strictObject({
  to: Phone,
  ttl: z.string().optional(),
  message_type: z.enum(['MESSAGE', 'CONVERSATION', 'NEWSLETTER']),
  content: z
    .strictObject({
      text: text(3072).optional(),
      suggestions: z
        .array(z.union([Reply, Action]))
        .max(11)
        .optional(),
    })
    .optional(),
})

const good = { to: '+491713920000', message_type: 'MESSAGE' }
const reply = { reply: { text: 'Yes', postback_data: 'eWVz' } }
const send = (changes: object) => refusal(Send, { ...good, ...changes })

test('a valid body is returned parsed', () => {
  expect(validate(Send, good, 'body')).toEqual(good)
})

test('each invalid field is listed, and the message names the first and the number of others', () => {
  const { status, code, message, details } = refusal(Send, { to: 'Ada', message_type: 5, ttl: 60 })
  expect({ status, code }).toEqual({ status: 400, code: 'validation_error' })
  expect(details.map(({ field }) => field)).toEqual(['to', 'ttl', 'message_type'])
  expect(message).toBe(
    'to: must be a phone number in international format, such as +491713920000 (and 2 more, see details).',
  )
})

test('a field that is missing is required, whatever it should have been', () => {
  expect(refusal(Send, {}).details).toEqual([
    { field: 'to', code: 'required', message: 'is required' },
    { field: 'message_type', code: 'required', message: 'is required' },
  ])
  expect(refusal(z.strictObject({ suggestion: z.union([Reply, Action]) }), {}).details).toEqual([
    { field: 'suggestion', code: 'required', message: 'is required' },
  ])
})

test('an unknown field is refused, and the nearest field is suggested', () => {
  expect(send({ tll: '60s' })).toMatchObject({
    message: 'tll: unknown field, did you mean "ttl"?',
    details: [{ field: 'tll', code: 'unknown_field', message: 'unknown field, did you mean "ttl"?' }],
  })
  expect(send({ messageType: 'MESSAGE' }).details[0]!.message).toBe('unknown field, did you mean "message_type"?')
  const node = z.union([
    z.strictObject({ node: z.literal('WAIT'), for: z.string().optional() }),
    z.strictObject({ node: z.literal('END'), id: z.string().optional() }),
  ])
  expect(refusal(z.strictObject({ flow: z.array(node) }), { flow: [{ node: 'WAIT', seconds: 2 }] }).message).toBe(
    'flow[0].seconds: unknown field; fields: node, for.',
  )
  expect(send({ colour: 'red' }).message).toMatch(/^colour: unknown field; fields: to, .*ttl/)
})

test('an unknown field deep inside is named with its path, and its neighbours are offered', () => {
  expect(send({ content: { txt: 'Hello' } }).details).toEqual([
    { field: 'content.txt', code: 'unknown_field', message: 'unknown field, did you mean "text"?' },
  ])
  const misspelt = { reply: { text: 'Yes', postback_data: 'eWVz', postback_dat: 'eWVz' } }
  expect(send({ content: { suggestions: [reply, misspelt] } }).details).toEqual([
    {
      field: 'content.suggestions[1].reply.postback_dat',
      code: 'unknown_field',
      message: 'unknown field, did you mean "postback_data"?',
    },
  ])
})

test('the message tells an unknown field before a missing one, also of a union', () => {
  expect(refusal(Send, { too: '+491713920000', message_type: 'MESSAGE' }).message).toBe(
    'too: unknown field, did you mean "to"? (and 1 more, see details).',
  )
  const Audience = z.union([z.strictObject({ all: z.literal(true) }), z.strictObject({ tag: z.string() })])
  expect(refusal(z.strictObject({ audience: Audience }), { audience: { tags: 'vip' } }).message).toBe(
    'audience.tags: unknown field, did you mean "tag"? (and 1 more, see details).',
  )
})

test('names that every object has are unknown like any other', () => {
  for (const name of ['constructor', 'toString', '__proto__'])
    expect(
      refusal(Send, JSON.parse(`{"to":"+491713920000","message_type":"MESSAGE","${name}":{}}`)).details,
    ).toMatchObject([{ field: name, code: 'unknown_field' }])
})

test('an error in a union concerns the intended branch, with the path to the field', () => {
  const tooLong = { reply: { text: 'x'.repeat(26), postback_data: 'eWVz' } }
  expect(send({ content: { suggestions: [reply, reply, reply, tooLong] } }).details).toEqual([
    { field: 'content.suggestions[3].reply.text', code: 'too_big', message: 'must have at most 25 characters' },
  ])
  const poorAction = { action: { text: 7, open_url: { uri: 'https://example.com' } } }
  expect(send({ content: { suggestions: [poorAction] } }).details.map(({ field }) => field)).toEqual([
    'content.suggestions[0].action.text',
    'content.suggestions[0].action.open_url.url',
    'content.suggestions[0].action.open_url.uri',
  ])
})

test('a value that fits no alternative of a union is refused with all of them', () => {
  const Either = z.union([z.literal('none'), z.strictObject({ to: z.string() })])
  const Fields = z.strictObject({ fallback: Either, size: z.union([z.number(), z.literal('all')]).optional() })
  expect(refusal(Fields, { fallback: 'mail' }).message).toBe('fallback: must be none or an object with the fields to.')
  expect(refusal(Fields, { fallback: { to: 1 } }).message).toBe('fallback.to: must be a string.')
  expect(refusal(Fields, { fallback: 'none', size: [] }).message).toBe('size: must be a number or all.')
  expect(refusal(Fields, {}).message).toBe('fallback: is required.')
})

test('a field that selects the variant of a union must have one of its values', () => {
  const Node = z.discriminatedUnion('node', [
    z.strictObject({ node: z.literal('SEND'), to: z.string() }),
    z.strictObject({ node: z.literal('WAIT'), delay: z.string() }),
  ])
  const Flow = z.strictObject({ flow: z.array(Node) })
  expect(refusal(Flow, { flow: [{ node: 'SND' }] }).details).toEqual([
    { field: 'flow[0].node', code: 'invalid_value', message: 'must be one of SEND, WAIT, did you mean "SEND"?' },
  ])
  expect(refusal(Flow, { flow: [{}] }).details).toEqual([
    { field: 'flow[0].node', code: 'required', message: 'is required: one of SEND, WAIT' },
  ])
  expect(refusal(Flow, { flow: [{ node: 'WAIT', dealy: '1h' }] }).details).toEqual([
    { field: 'flow[0].delay', code: 'required', message: 'is required' },
    { field: 'flow[0].dealy', code: 'unknown_field', message: 'unknown field, did you mean "delay"?' },
  ])
})

test('a value outside of its vocabulary is refused with the whole vocabulary', () => {
  expect(send({ message_type: 'NEWSLETER' }).details).toEqual([
    {
      field: 'message_type',
      code: 'invalid_value',
      message: 'must be one of MESSAGE, CONVERSATION, NEWSLETTER, did you mean "NEWSLETTER"?',
    },
  ])
  expect(send({ message_type: 'message' }).details[0]!.message).toMatch(/did you mean "MESSAGE"\?$/)
  expect(send({ message_type: null }).details[0]!.message).toBe('must be one of MESSAGE, CONVERSATION, NEWSLETTER')
})

test.each([
  [z.string(), 5, 'must be a string'],
  [z.boolean(), 'yes', 'must be a boolean'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.array(z.string()), {}, 'must be an array'],
  [z.strictObject({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.strictObject({ mode: z.string(), now: z.string() }), 'frozen', 'must be an object with the fields mode, now'],
  [z.array(z.strictObject({ a: z.string() })), 'x', 'must be an array of objects with the fields a'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().min(8), 'short', 'must have at least 8 characters'],
  [z.string().length(6), '12345', 'must have exactly 6 characters'],
  [z.array(z.string()).max(11), Array(12).fill(''), 'must have at most 11 items'],
  [z.array(z.string()).min(2), [''], 'must have at least 2 items'],
  [z.number().min(10), 9, 'must be at least 10'],
  [z.number().max(5000), 5001, 'must be at most 5000'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.literal(true), 'true', 'must be the boolean true'],
  [z.literal('EUROPE'), 'europa', 'must be EUROPE'],
  [z.literal('a1', 'must be the agent a1, or left out'), 'a2', 'must be the agent a1, or left out'],
  [z.iso.datetime(), 'tomorrow', 'must be a time in UTC such as 2026-01-01T00:00:00Z'],
])('the rule of case %# is stated in words', (schema, value, message) => {
  expect(refusal(z.strictObject({ field: schema }), { field: value }).details[0]).toMatchObject({
    field: 'field',
    message,
  })
})

test('a body that is not an object is named as such', () => {
  expect(refusal(Send, 'hello').message).toBe('The body: must be an object.')
  expect(refusal(Send, undefined).message).toBe('The body: is required.')
  expect(
    refusal(
      z.strictObject({}).refine(() => false, 'give either by or to'),
      {},
    ).message,
  ).toBe('The body: give either by or to.')
})

test.each([
  ['ttl', 'ttl'],
  ['TTL', 'ttl'],
  ['tll', 'ttl'],
  ['mesage_typ', 'message_type'],
  ['agentId', 'agent_id'],
  ['colour', undefined],
  ['x', undefined],
  ['', undefined],
])('the nearest name to %j is %j', (word, candidates) => {
  expect(nearest(word, ['ttl', 'message_type', 'agent_id', 'content'])).toBe(candidates)
})

test('without candidates there is no suggestion', () => {
  expect(suggest('ttl', [])).toBe('')
})

function refusal(schema: z.ZodType, value: unknown, most?: number): Problem {
  try {
    validate(schema, value, 'body', most)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('of many faults of a request the first hundred are named', () => {
  const body = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`field${i}`, 1]))
  const problem = refusal(z.strictObject({ name: z.string().optional() }), body, MOST_FAULTS)
  expect(problem.details).toHaveLength(MOST_FAULTS)
  expect(problem.message).toBe('field0: unknown field; fields: name (and 99 more, see details).')
})

test('no name is suggested for a word that is too long to be one', () => {
  const problem = refusal(z.strictObject({ name: z.string().optional() }), { ['x'.repeat(900_000)]: 1 })
  expect(problem.details[0]!.message).toBe('unknown field; fields: name')
})
