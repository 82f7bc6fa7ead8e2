import { expect, test } from 'vitest'
import { catalogue, eventFamilies, eventNames } from '../../../src/service/events/catalogue.ts'

test.for(eventNames)('the example of %s matches its schema', (name) => {
  const { data, example } = catalogue[name]
  expect(data.safeParse(example).error?.message).toBeUndefined()
})

test.for(eventNames)('%s has no undocumented fields', (name) => {
  const { data, example } = catalogue[name]
  expect(data.safeParse({ ...example, surplus: 1 }).success).toBe(false)
})

/** The table of interface §6, row for row. */
test.for([
  ['message.delivered', ['message_id', 'delivered_at', 'agent_id', 'to', 'status']],
  ['message.read', ['message_id', 'agent_id', 'to', 'status', 'read_at']],
  ['message.failed', ['message_id', 'agent_id', 'to', 'status', 'failed_at', 'failure_reason']],
  ['message.expired', ['message_id', 'agent_id', 'to', 'status', 'expired_at']],
  ['conversation.started', ['agent_id', 'from', 'session_expires_at', 'user_message']],
] as const)('%s carries the fields of the interface', ([name, fields]) => {
  expect(catalogue[name].choice).toBe(false)
  expect(Object.keys(catalogue[name].example).sort()).toEqual([...fields].sort())
})

test('a message event is of an agent or of a channel, never of both', () => {
  const { data, example } = catalogue['message.delivered']
  const { agent_id, ...rest } = example
  const channel_id = 'ch_00000000-0000-4000-8000-000000000004'
  expect(data.safeParse({ ...rest, channel_id }).success).toBe(true)
  expect(data.safeParse({ ...rest, channel_id, agent_id }).success).toBe(false)
  expect(data.safeParse(rest).success).toBe(false)
})

test('the families are those of the interface and of the choices', () => {
  expect(eventFamilies).toEqual(
    ['message', 'email', 'conversation', 'agent', 'contact', 'consent', 'campaign', 'billing', 'webhook'].map(
      (family) => `${family}.*`,
    ),
  )
})
