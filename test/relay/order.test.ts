import { expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { follow, routeTo } from './follow.ts'

/** Ada and Bea are made, and each is changed twice: six events in turn. */
async function happen({ client }: Sandbox): Promise<[ada: string, bea: string]> {
  const make = async (name: string) => (await client.contacts.create({ email: `${name}@example.com` })).id
  const ids: [string, string] = [await make('ada'), await make('bea')]
  for (const n of [1, 2]) for (const id of ids) await client.contacts.update(id, { external_id: `${n}-${id}` })
  return ids
}

/** The first request gets no answer before the returned function is called; the others are answered at once. */
function holdFirst(receiver: Receiver): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  receiver.answer(async (_, n) => {
    if (n === 1) await released
    return 200
  })
  return release
}

const contactsOf = ({ received }: Receiver) => received.map(({ event }) => event.data.contact_id)

test('in the order of the log one event waits for the answer to the one before it', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const release = holdFirst(receiver)
  const [ada, bea] = await happen(sandbox)
  await using relay = follow(sandbox, { to: receiver.url, since: 'start', order: 'log' })
  await receiver.until(1)
  // The relay has read the whole log by the time that another reader has.
  await using other = follow(sandbox, { since: 'start' })
  await other.until('event', 6)
  expect(receiver.received).toHaveLength(1)
  release()
  await relay.until('event', 6)
  expect(contactsOf(receiver)).toEqual([ada, bea, ada, bea, ada, bea])
})

test('in the order of each message, only the events of one record wait for each other', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const release = holdFirst(receiver)
  const [ada, bea] = await happen(sandbox)
  await using relay = follow(sandbox, { to: receiver.url, since: 'start', order: 'message' })
  await relay.until('event', 3)
  expect(contactsOf(receiver)).toEqual([ada, bea, bea, bea])
  release()
  await relay.until('event', 6)
  expect(contactsOf(receiver)).toEqual([ada, bea, bea, bea, ada, ada])
  const seqs = relay.events.filter(({ event }) => event.body.includes(ada)).map(({ event }) => event.seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
})

test('in no order, nothing waits', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const release = holdFirst(receiver)
  await happen(sandbox)
  await using relay = follow(sandbox, { to: receiver.url, since: 'start', order: 'none' })
  await relay.until('event', 5)
  release()
  await relay.until('event', 6)
})

test('a slow target does not hold up the others, and the cursor waits for it', async () => {
  await using sandbox = await createSandbox()
  await using slow = await startReceiver()
  await using quick = await startReceiver()
  const release = holdFirst(slow)
  await happen(sandbox)
  const routes = [routeTo(slow.url), routeTo(quick.url, { events: ['contact.updated'] })]
  await using relay = follow(sandbox, { routes, since: 'start', cursor: 'dev' })
  await quick.until(4)
  expect(slow.received).toHaveLength(1)
  expect((await sandbox.client.events.cursor('dev')).seq).toBe(0)
  release()
  await relay.until('event', 6)
  await expect.poll(async () => (await sandbox.client.events.cursor('dev')).seq).toBe(6)
})
