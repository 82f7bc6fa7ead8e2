import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

test('settle waits until all that is due now is done, webhooks included, and does not move a frozen clock', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await using receiver = await sandbox.receiver()
  await client.messages.send({ ...rcsText, to: phones.readsAll })
  const { status, json } = await ask(sandbox, 'POST', '/_sandbox/clock/settle')
  expect(receiver.events.map(({ event }) => event)).toEqual(['message.queued'])
  const { next_due_at } = await client.clock.show()
  expect([status, json]).toEqual([200, { mode: 'frozen', now: '2026-01-01T00:00:00.000Z', settled: true, next_due_at }])
})

test('settle ends at its time limit while a receiver has not answered', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  let answer = () => {}
  const answered = new Promise<Response>((resolve) => {
    answer = () => resolve(new Response())
  })
  await using _ = await sandbox.receiver({ handler: () => answered })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect(await sandbox.client.clock.settle({ within: '50ms' })).toMatchObject({ settled: false })
  answer()
  await sandbox.settle()
  expect(await sandbox.client.clock.settle()).toMatchObject({ settled: true })
})
