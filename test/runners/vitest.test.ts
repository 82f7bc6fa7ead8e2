import { describe } from 'vitest'
import { expect, it, sandboxTest, test } from '../../src/runners/vitest.ts'
import { agents, phone } from '../magic.ts'

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } } as const
const rcs = { agent_id: agents.multi, ...text }

describe('a test with a sandbox of its own', () => {
  const seen = new Set<string>()
  const keys = new Set<string>()

  for (const round of ['one', 'two'])
    test(`has a world, a clock and a receiver that no other has: ${round}`, async ({ sandbox, receiver }) => {
      seen.add(sandbox.url)
      expect(keys).not.toContain(sandbox.apiKey)
      keys.add(sandbox.apiKey)
      expect(sandbox.apiKey).toMatch(/^sk_sandbox_a-test-with-a-sandbox-of-its-own-[a-z-]+-[0-9a-f]{6}$/)
      expect(await sandbox.clock.now()).toBe('2026-01-01T00:00:00.000Z')
      expect(await sandbox.client.messages.list()).toMatchObject({ messages: [] })
      const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(1) })
      await sandbox.clock.advance('1h')
      await expect(receiver).toHaveReceived('message.delivered', { message_id })
      await expect(message_id).toHaveBeenDelivered()
    })

  test('shares the emulator with the tests before it, and leaves them nothing', async ({ sandbox }) => {
    expect([...seen]).toEqual([sandbox.url])
    const { namespaces } = await sandbox.client.namespaces.list()
    expect(namespaces.map(({ name }) => name)).toEqual([sandbox.apiKey.replace('sk_sandbox_', ''), 'default'])
  })

  // Each world has the agents of the default one.
  for (const isReadByHook of [false, true])
    describe.concurrent(`while others run${isReadByHook ? ', which a hook uses first' : ''}`, () => {
      if (isReadByHook) test.beforeEach(async ({ sandbox }) => void (await sandbox.clock.now()))

      const checked = Promise.withResolvers<void>()
      test('lasts longer than the other one', async ({ sandbox }) => {
        await checked.promise
        expect((await sandbox.client.agents.get(agents.draft)).status).toBe('DRAFT')
      })

      test('is where a check looks up an id that all worlds have', async ({ sandbox }) => {
        await sandbox.client.agents.submit(agents.draft)
        await expect(agents.draft).not.toHaveStatus('DRAFT').finally(checked.resolve)
      })
    })

  it('is not created for a test that does not use it', () => expect(seen.size).toBe(1))
})

// The name of a device, which no file on Windows can have.
test('con', async ({ sandbox }) => {
  expect(sandbox.apiKey).toBe('sk_sandbox_con-2')
  expect(await sandbox.clock.now()).toBe('2026-01-01T00:00:00.000Z')
})

sandboxTest({ clock: 'auto', now: '2027-02-03T04:05:06Z' })(
  'a clock that runs is waited for',
  async ({ sandbox, receiver }) => {
    const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(0) })
    await expect(message_id).toHaveStatus('read')
    await expect(receiver).toHaveReceived('message.read', { message_id, read_at: expect.stringMatching(/^2027-02-03/) })
  },
)
