import { expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { define, end, notice, sentBy } from './campaign.ts'

const MANY = 2_000

async function makeContacts({ client }: Sandbox) {
  const consent = { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' } as const
  const contacts = Array.from({ length: MANY }, (_, i) => ({
    external_id: `many-${i}`,
    phone: `+491511${String(i).padStart(7, '0')}`,
    tags: ['many'],
  }))
  expect(await client.contacts.import({ contacts })).toMatchObject({ imported: MANY })
  for (let i = 0; i < MANY; i += 100)
    await Promise.all(contacts.slice(i, i + 100).map(({ external_id }) => client.consent.record(external_id, consent)))
}

test('a campaign to two thousand contacts sends to each once, at its pace, while requests are answered', async () => {
  await using sandbox = await createSandbox({ checkAnswers: false })
  const { client, clock } = sandbox
  await makeContacts(sandbox)
  const id = await define(sandbox, [notice, end], { audience: { tag: 'many' } })
  await client.campaigns.trigger(id)
  expect((await client.campaigns.status(id)).counts).toMatchObject({ total: MANY, pending: MANY })
  await clock.advance('1s')
  const { completed, in_progress, pending } = (await client.campaigns.status(id)).counts
  expect([completed + in_progress, pending]).toEqual([500, MANY - 500])

  const advanced = clock.advance('1m')
  const seen: number[] = []
  let isOver = false
  void advanced.finally(() => {
    isOver = true
  })
  while (!isOver) seen.push((await client.campaigns.status(id)).counts.completed)
  await advanced
  // Requests are answered on the way, not only before and after it.
  expect(seen.filter((completed) => completed > 500 && completed < MANY).length).toBeGreaterThan(2)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))

  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'COMPLETED',
    counts: { total: MANY, completed: MANY },
    completed_at: expect.stringMatching(/^2026-01-01T00:00:04\.\d{3}Z$/),
  })
  expect(new Set((await sentBy(sandbox, id)).map(({ to }) => to)).size).toBe(MANY)
  expect(await sentBy(sandbox, id)).toHaveLength(MANY)
})
