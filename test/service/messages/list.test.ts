import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { agents, channels, contactOf, emailContacts, emails, phone, phones, rcsText, uuid } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hi' } }

async function send({ client }: Sandbox, count: number, from = 50) {
  const ids: string[] = []
  for (let i = 0; i < count; i++)
    ids.push((await client.messages.send({ ...rcsText, to: phone(from + (i % 20)) })).message_id)
  return ids
}

const idsOf = ({ messages }: { messages: { id: string }[] }) => messages.map(({ id }) => id)

test('each filter finds what it names and nothing else', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const plain = (await client.messages.send({ ...rcsText, to: phones.neverReads })).message_id
  const failed = (await client.messages.send({ ...rcsText, to: phones.unknownUser })).message_id
  const answered = (await client.messages.send({ ...rcsText, to: phones.repliesHello })).message_id
  await clock.advance('1h')
  const newsletter = (await client.messages.send({ ...rcsText, message_type: 'NEWSLETTER', to: phones.neverReads }))
    .message_id
  const byOther = (await client.messages.send({ ...rcsText, agent_id: agents.transactional, to: phones.neverReads }))
    .message_id
  const mail = (await client.messages.send(email)).message_id
  const inbound = (await client.messages.list({ direction: 'INBOUND' })).messages[0]!.id
  const all = [mail, byOther, newsletter, inbound, answered, failed, plain]
  expect(idsOf(await client.messages.list())).toEqual(all)

  const at = '2026-01-01T01:00:00.000Z'
  const cases: readonly [filter: Record<string, string>, ids: string[]][] = [
    [{ contact_id: contactOf(1) }, [byOther, newsletter, plain]],
    [{ contact_id: emailContacts.delivered }, [mail]],
    [{ contact_id: contactOf(30) }, [inbound, answered]],
    [{ channel_id: channels.email }, [mail]],
    [{ channel_id: channels.rcs }, [newsletter, inbound, answered, failed, plain]],
    [{ agent_id: agents.transactional }, [byOther]],
    [{ status: 'queued' }, [mail, byOther, newsletter]],
    [{ status: 'failed' }, [failed]],
    [{ status: 'received' }, [inbound]],
    [{ direction: 'INBOUND' }, [inbound]],
    [{ direction: 'OUTBOUND' }, all.filter((id) => id !== inbound)],
    [{ message_type: 'NEWSLETTER' }, [newsletter]],
    [{ message_type: 'CONVERSATION' }, [inbound]],
    [{ to: phones.neverReads }, [byOther, newsletter, plain]],
    [{ to: agents.multi }, [inbound]],
    [{ to: 'delivered@Sandbox.Test' }, [mail]],
    [{ created_from: at }, [mail, byOther, newsletter]],
    [{ created_to: at }, [inbound, answered, failed, plain]],
    [{ created_from: at, created_to: at }, []],
    [{ created_to: '2026-01-01T00:00:00.001Z', status: 'failed' }, [failed]],
    [{ contact_id: contactOf(1), message_type: 'MESSAGE', created_to: at }, [plain]],
    [{ campaign_id: uuid(101) }, []],
    [{ contact_id: `c_${uuid(999)}` }, []],
    [{ contact_id: contactOf(1), limit: '1', offset: '1' }, [newsletter]],
  ]
  for (const [filter, ids] of cases)
    expect({ filter, ids: idsOf(await client.messages.list(filter as never)) }).toEqual({ filter, ids })
})

test('a cursor continues where the page ended, whatever is sent meanwhile', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const ids = (await send(sandbox, 7)).reverse()
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.messages.list({ limit: 3, cursor })
    expect(page.has_more).toBe(page.next_cursor !== null)
    expect(page.messages.length).toBeLessThanOrEqual(3)
    seen.push(...idsOf(page))
    cursor = page.next_cursor ?? undefined
    await send(sandbox, 2, 70)
    await sandbox.clock.advance('1m')
  } while (cursor)
  expect(seen).toEqual(ids)
})

test('a cursor and a filter go together', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const ids = []
  for (let i = 0; i < 4; i++) {
    ids.unshift((await client.messages.send({ ...rcsText, to: phones.readsAll })).message_id)
    await client.messages.send({ ...rcsText, to: phones.neverReads })
  }
  const first = await client.messages.list({ to: phones.readsAll, limit: 3 })
  const second = await client.messages.list({ to: phones.readsAll, limit: 3, cursor: first.next_cursor! })
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
  expect(second).toMatchObject({ has_more: false, next_cursor: null })
})

test('a page has 50 messages by default, and a last full page promises no more', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const ids = (await send(sandbox, 52)).reverse()
  const page = await client.messages.list()
  expect(idsOf(page)).toEqual(ids.slice(0, 50))
  expect(page).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  expect(await client.messages.list({ limit: 52 })).toMatchObject({ has_more: false, next_cursor: null })
  expect(idsOf(await client.messages.list({ limit: 200 }))).toEqual(ids)
  expect(idsOf(await client.messages.list({ limit: 1 }))).toEqual(ids.slice(0, 1))
  expect(idsOf(await client.messages.list({ offset: 50 }))).toEqual(ids.slice(50))
  expect(idsOf(await client.messages.list({ offset: 52 }))).toEqual([])
})

test('an invalid query is a 400 that says what is wrong', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox, 2)
  const cursor = (await sandbox.client.messages.list({ limit: 1 })).next_cursor!
  const elsewhere = (await sandbox.client.billing.transactions({ limit: 1 })).next_cursor!
  const cases: readonly [query: string, field: string, message?: RegExp][] = [
    ['limit=0', 'limit', /between 1 and 200/],
    ['limit=201', 'limit', /between 1 and 200/],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit', /twice/],
    ['foo=1', 'foo', /^unknown field; fields: campaign_id, /],
    [`cursor=${elsewhere}`, 'cursor', /next_cursor/],
    ['offset=-1', 'offset'],
    ['cursor=nonsense', 'cursor', /next_cursor/],
    ['cursor=', 'cursor'],
    [`cursor=${cursor}=`, 'cursor'],
    [`cursor=${cursor}&offset=0`, 'offset', /combined/],
    ['staus=queued', 'staus', /did you mean "status"/],
    ['constructor=1', 'constructor'],
    ['__proto__=1', '__proto__'],
    ['status=sent', 'status', /queued/],
    ['status=Queued', 'status'],
    ['direction=inbound', 'direction'],
    ['contact_id=magic-00', 'contact_id'],
    ['campaign_id=1', 'campaign_id'],
    ['created_from=yesterday', 'created_from', /2026-01-01T00:00:00Z/],
    ['created_from=2026-01-01', 'created_from'],
    ['created_to=2026-13-01T00:00:00Z', 'created_to'],
    ['to=', 'to'],
  ]
  for (const [query, field, message = /./] of cases) {
    const { status, json } = await ask(sandbox, 'GET', `/v1/messages?${query}`)
    expect({ query, status, json }).toMatchObject({
      query,
      status: 400,
      json: { error: 'validation_error', details: [{ field, message: expect.stringMatching(message) }] },
    })
  }
})

test('the list shows the same objects as the single route', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await client.messages.send(email)
  await sandbox.clock.advance('1m')
  for (const message of (await client.messages.list()).messages)
    expect(await client.messages.get(message.id)).toEqual(message)
})
