import { expect, test } from 'vitest'
import { nouns } from '../../../src/registry/nouns.ts'
import { loadWorldFile } from '../../../src/server/world-source.ts'
import type { Noun } from '../../../src/world/noun.ts'
import { Worlds } from '../../../src/world/worlds/worlds.ts'
import { phone, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

test('work that is cancelled by other work of the same batch does not run', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  // Each reply moves the end of the session, which has been read ahead by then.
  for (let i = 0; i < 3; i++) await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await clock.advance('48h')
  const events = async (event: string) => (await client.events.list({ event })).events
  const started = await events('conversation.started')
  expect(started).toHaveLength(3)
  expect((await events('conversation.ended')).map(({ timestamp }) => timestamp)).toEqual([
    new Date(Date.parse(started.at(-1)!.timestamp) + 86_400_000).toISOString(),
  ])
})

test('work is done once and in order, though more than is read ahead is due in one instant', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      client.messages.send({ ...rcsText, to: n % 2 ? phones.off : phone(50), ttl: '1s' }),
    ),
  )
  const { fired } = await clock.advance('1h')
  for (const { id, events } of (await client.messages.list({ limit: 200 })).messages)
    expect(fired.filter(({ subject }) => subject === id).map(({ at }) => at)).toEqual(
      events.slice(1).map(({ at }) => at),
    )
  expect(fired.filter(({ what }) => what === 'message.expire').length).toBeGreaterThan(149)
  expect(await clock.advance('240h')).toMatchObject({ total: 0 })
})

test('work with a bug is set aside and reported, and all other work of the same stretch is done once', async () => {
  const faults: string[] = []
  const done: string[] = []
  const noun: Noun = {
    localWork: {
      'test.work': (_, { subject }) => void done.push(subject),
      'test.bug'(world, { subject }) {
        // What it has done before it fails is undone with it.
        world.timers.schedule('test.work', `of ${subject}`, world.now())
        throw new Error('a bug')
      },
    },
  }
  const worlds = new Worlds({
    file: await loadWorldFile('empty'),
    nouns: async () => [...nouns, noun],
    clock: { mode: 'frozen' },
    onFault: (_, doing) => faults.push(doing),
  })
  await worlds.prepare()
  await worlds.loadNouns()
  const world = worlds.get('default')
  const at = world.now()
  world.transaction(() => {
    for (let i = 0; i < 100; i++) world.timers.schedule(i % 30 === 7 ? 'test.bug' : 'test.work', `row ${i}`, at + i)
  })
  const { fired, total } = await world.driver.advance(() => at + 1_000)
  expect(faults).toEqual([7, 37, 67, 97].map((i) => `test.bug for row ${i}`))
  expect(total).toBe(96)
  expect(fired.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 100 }, (_, i) => `row ${i}`).filter((_, i) => i % 30 !== 7),
  )
  expect(done.at(-1)).toBe('row 99')
  expect(world.driver.nextDueAt()).toBeUndefined()
  await worlds.close()
})
