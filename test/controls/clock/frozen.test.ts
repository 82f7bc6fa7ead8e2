import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { campaigns, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const advance = (sandbox: Sandbox, body: object) => ask(sandbox, 'POST', '/_sandbox/clock/advance', { body })
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('a campaign that is triggered and advanced gives the same bytes, however fast the caller is', async () => {
  const answers = await Promise.all(
    [0, 1, 5, 100, 1_000].map(async (pause) => {
      await using sandbox = await createSandbox({ seed: 'equal' })
      await ask(sandbox, 'POST', `/v1/campaigns/${campaigns.demo}/trigger`, { body: {} })
      await turns(pause)
      const status = await ask(sandbox, 'GET', `/v1/campaigns/${campaigns.demo}/status`)
      return [status.text, (await advance(sandbox, { by: '1h' })).text]
    }),
  )
  expect(JSON.parse(answers[0]![1]!).fired[0]).toMatchObject({ what: 'campaign.enrol' })
  for (const other of answers) expect(other).toEqual(answers[0])
})

/** A world whose messages leave in the instant of their send. */
const immediate = () =>
  worldLikeDefault((file) => {
    for (const carrier of file.carriers) carrier.dispatch_delay = '0s'
  })

test('work that is due now waits for an advance, which may end at the same instant', async () => {
  await using sandbox = await createSandbox({ world: await immediate() })
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  const { now } = await client.clock.show()
  await turns(1_000)
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'queued' })
  expect(await client.clock.show()).toMatchObject({ at_rest: true, next_due_at: now })

  const { fired, now: after } = await client.clock.advance({ next: true })
  expect({ after, what: fired.map(({ what }) => what) }).toEqual({ after: now, what: ['message.dispatch'] })
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'dispatched' })
  await client.clock.advance({ next: true })
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'delivered' })
})

test('settle runs the work that is due now and moves no time', async () => {
  await using sandbox = await createSandbox({ world: await immediate() })
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const { now } = await sandbox.client.clock.show()
  await sandbox.settle()
  expect(await sandbox.client.messages.get(message_id)).toMatchObject({ status: 'dispatched' })
  expect((await sandbox.client.clock.show()).now).toBe(now)
})

test('webhooks of a frozen clock leave by themselves', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await sandbox.receiver()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await expect.poll(() => receiver.deliveries.map(({ event }) => event.event)).toEqual(['message.queued'])
})
