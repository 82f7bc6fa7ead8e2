import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { agents, campaigns, channels, contactOf, emailContacts, phone, rcsText, templates, uuid } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { countsOf, type Definition, define, end, notice, reminder, sentBy, wait } from './campaign.ts'

async function run(sandbox: Sandbox, flow: Definition['flow'], contacts: string[], time = '1h') {
  const id = await define(sandbox, flow, { audience: { contacts } })
  await sandbox.client.campaigns.trigger(id)
  await sandbox.clock.advance(time)
  return id
}

const tagsOf = async ({ client }: Sandbox, nn: number) => (await client.contacts.get(contactOf(nn))).tags

test('contacts that a SEND finds ineligible are counted as such, and the run is completed in part', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.campaigns.trigger(campaigns.partial)
  await sandbox.clock.advance('1m')
  expect(await sandbox.client.campaigns.status(campaigns.partial)).toMatchObject({
    status: 'COMPLETED_PARTIAL',
    counts: { total: 5, pending: 0, in_progress: 0, completed: 2, failed: 0, ineligible: 3 },
  })
  expect((await sentBy(sandbox, campaigns.partial)).map(({ to }) => to).sort()).toEqual([phone(0), phone(50)])
})

test('the contacts of a run are listed with their status, their path, their messages by node and their tags', async () => {
  await using sandbox = await createSandbox()
  const flow: Definition['flow'] = [
    notice,
    wait('24h'),
    { node: 'CONDITION', id: 'check', when: 'read', yes: 'reader', no: 'reminder' },
    { node: 'TAG', id: 'reader', add: 'reader', next: 'end' },
    reminder,
    end,
  ]
  const id = await run(sandbox, flow, [contactOf(0), contactOf(1), contactOf(10)])
  const list = async (page = {}) => sandbox.client.campaigns.contacts(id, page)
  expect((await list()).contacts.map(({ status, next_node, path }) => [status, next_node, path])).toEqual([
    ['in_progress', 'check', ['notice', 'wait']],
    ['in_progress', 'check', ['notice', 'wait']],
    ['ineligible', null, ['notice']],
  ])
  await sandbox.clock.advance('25h')
  const sent = (node: string) => ({ node, message_id: expect.stringMatching(/^msg_/) })
  expect(await list()).toMatchObject({
    contacts: [
      {
        contact_id: contactOf(0),
        phone: phone(0),
        email: null,
        external_id: 'magic-00',
        status: 'completed',
        reason: null,
        path: ['notice', 'wait', 'check', 'reader', 'end'],
        sends: [sent('notice')],
        tags: expect.arrayContaining(['reader']),
      },
      {
        contact_id: contactOf(1),
        status: 'completed',
        path: ['notice', 'wait', 'check', 'reminder', 'end'],
        // In the order in which they were sent.
        sends: [sent('notice'), sent('reminder')],
      },
      { contact_id: contactOf(10), status: 'ineligible', reason: 'device_not_rcs_capable', sends: [] },
    ],
    total: 3,
    sent: [
      { node: 'notice', messages: 2 },
      { node: 'reminder', messages: 1 },
    ],
    reasons: [
      {
        status: 'ineligible',
        reason: 'device_not_rcs_capable',
        says: 'The phone cannot receive RCS.',
        contacts: 1,
      },
    ],
  })
  expect((await list({ limit: '1', offset: '1' })).contacts).toMatchObject([{ contact_id: contactOf(1) }])
  expect(await sandbox.client.campaigns.contacts(campaigns.scheduled)).toEqual({
    contacts: [],
    total: 0,
    sent: [],
    reasons: [],
  })
})

test('contacts are ineligible while the channel of the agent is inactive or refuses the message type', async () => {
  const world = await worldLikeDefault((file) => {
    const own = file.channels.find(({ agent_id }: { agent_id?: string }) => agent_id === agents.multi)
    own.active = false
    file.channels.push({
      ...own,
      ...{ channel_id: `ch_${uuid(9)}`, agent_id: agents.regional, active: true, message_types: ['NEWSLETTER'] },
    })
  })
  await using sandbox = await createSandbox({ world })
  for (const agent_id of [agents.multi, agents.regional]) {
    const id = await run(sandbox, [{ ...notice, agent_id }, end], [contactOf(50), contactOf(51)])
    expect(await sandbox.client.campaigns.status(id)).toMatchObject({
      status: 'COMPLETED_PARTIAL',
      counts: { completed: 0, ineligible: 2 },
    })
    expect(await sentBy(sandbox, id)).toEqual([])
  }
})

test('a fallback reaches contacts without RCS, and no contact that must not be sent to', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (const nn of [10, 40, 41]) await client.contacts.update(contactOf(nn), { email: `magic-${nn}@example.com` })
  const fallback = { channel_id: channels.email, content: { subject: 'Hi', text: 'Ten percent off.' } }
  const contacts = [contactOf(0), contactOf(10), contactOf(40), contactOf(41), emailContacts.delivered]
  const id = await run(sandbox, [{ ...notice, fallback }, end], contacts)
  expect(await countsOf(sandbox, id)).toMatchObject({ completed: 3, ineligible: 2 })
  expect((await sentBy(sandbox, id)).map(({ channel, to }) => [channel, to]).sort()).toEqual([
    ['EMAIL', 'delivered@sandbox.test'],
    ['EMAIL', 'magic-10@example.com'],
    ['RCS', phone(0)],
  ])
})

test('a contact without an address on the channel is ineligible, and so is one over SMS', async () => {
  await using sandbox = await createSandbox()
  const mail = {
    node: 'SEND',
    id: 'mail',
    channel_id: channels.email,
    content: { subject: 'Hi', text: 'Hello' },
  } as const
  expect(await countsOf(sandbox, await run(sandbox, [mail, end], [contactOf(50)]))).toMatchObject({ ineligible: 1 })
  const fallback = { channel_id: channels.sms, content: { text: 'Hello' } }
  const id = await run(sandbox, [{ ...notice, fallback }, end], [contactOf(10)])
  expect(await countsOf(sandbox, id)).toMatchObject({ ineligible: 1 })
})

test('where SMS is previewed, it reaches a device that is not RCS-capable', async () => {
  const world = await worldLikeDefault((file) => {
    file.preview = { sms: true }
  })
  await using sandbox = await createSandbox({ world })
  const consent = { channel_type: 'SMS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' } as const
  await sandbox.client.consent.record(contactOf(10), consent)
  const fallback = { channel_id: channels.sms, content: { text: 'Hello' } }
  const id = await run(sandbox, [{ ...notice, fallback }, end], [contactOf(10)])
  expect(await countsOf(sandbox, id)).toMatchObject({ completed: 1 })
  expect(await sentBy(sandbox, id)).toMatchObject([{ channel: 'SMS', to: phone(10), status: 'delivered' }])
})

test.each([
  ['an agent that is not approved', { agent_id: agents.draft }],
  ['a channel whose domain is not verified', { channel_id: channels.emailUnverified }],
  ['a channel that is inactive', { channel_id: channels.emailInactive }],
])('%s makes every contact ineligible', async (_, sender) => {
  await using sandbox = await createSandbox()
  const content = 'agent_id' in sender ? notice.content : { subject: 'Hi', text: 'Hello' }
  const send = {
    node: 'SEND',
    id: 's',
    message_type: 'MESSAGE',
    traffic_type: 'PROMOTION',
    content,
    ...sender,
  } as const
  const contact = 'agent_id' in sender ? contactOf(50) : emailContacts.delivered
  expect(await countsOf(sandbox, await run(sandbox, [send, end], [contact]))).toMatchObject({ ineligible: 1, total: 1 })
})

test('a condition checks the status of the last message when the contact arrives at it', async () => {
  await using sandbox = await createSandbox()
  const tag = (id: string) => ({ node: 'TAG', id, add: id, next: 'end' }) as const
  const ask = (when: 'delivered' | 'read' | 'replied') =>
    ({ node: 'CONDITION', id: when, when, yes: `is-${when}`, no: `not-${when}` }) as const
  // Read at once, never read, replies, switched off, fails.
  const story = [0, 1, 30, 20, 11]
  const outcomes = {
    delivered: [true, true, true, false, false],
    read: [true, false, true, false, false],
    replied: [false, false, true, false, false],
  }
  for (const [when, expected] of Object.entries(outcomes) as [keyof typeof outcomes, boolean[]][]) {
    await run(
      sandbox,
      [notice, wait('5m'), ask(when), tag(`is-${when}`), tag(`not-${when}`), end],
      story.map(contactOf),
    )
    for (const [i, nn] of story.entries())
      expect(await tagsOf(sandbox, nn), `${when} of ${nn}`).toContain(expected[i] ? `is-${when}` : `not-${when}`)
  }
})

test('a reply to an earlier message does not answer one that has not arrived', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phone(50) })
  await clock.advance('1m')
  await client.handsets.set(phone(50), { on: false })
  const ask = { node: 'CONDITION', id: 'ask', when: 'replied', yes: 'yes', no: 'no' } as const
  const tags = [{ node: 'TAG', id: 'yes', add: 'yes', next: 'end' }, { node: 'TAG', id: 'no', add: 'no' }, end] as const
  await run(sandbox, [notice, wait('5m'), ask, ...tags], [contactOf(50)], '1m')
  await client.handsets.reply(phone(50), { agent_id: agents.multi, text: 'Thanks' })
  await clock.advance('1h')
  expect(await tagsOf(sandbox, 50)).toContain('no')
})

test('a condition without a wait before it, or without a message, does not hold', async () => {
  await using sandbox = await createSandbox()
  const ask = { node: 'CONDITION', id: 'ask', when: 'delivered', yes: 'yes', no: 'no' } as const
  const tags = [{ node: 'TAG', id: 'yes', add: 'yes' }, { node: 'TAG', id: 'no', add: 'no' }, end] as const
  await run(sandbox, [notice, ask, ...tags], [contactOf(50)])
  await run(sandbox, [ask, ...tags], [contactOf(51)])
  expect([await tagsOf(sandbox, 50), await tagsOf(sandbox, 51)]).toEqual([
    expect.arrayContaining(['no']),
    expect.arrayContaining(['no']),
  ])
  expect(await tagsOf(sandbox, 50)).not.toContain('yes')
})

test('a TAG gives and takes tags, and says so in an event of the contact', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.contacts.update(contactOf(70), { tags: ['old', 'kept'] })
  await run(sandbox, [{ node: 'TAG', id: 't', add: 'new', remove: 'old' }, end], [contactOf(70)])
  expect(await tagsOf(sandbox, 70)).toEqual(['kept', 'new'])
  const { events } = await client.events.list({ event: 'contact.updated' })
  expect(events.filter(({ data }) => (data as { contact_id: string }).contact_id === contactOf(70))).toHaveLength(2)
})

test('a contact that leaves the audience after the start still takes part, and one that joins it does not', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end], { audience: { tag: 'campaign-demo' } })
  await client.campaigns.trigger(id)
  await clock.advance('0s')
  await client.contacts.update(contactOf(50), { tags: [] })
  await client.contacts.update(contactOf(70), { tags: ['campaign-demo'] })
  await clock.advance('1m')
  expect((await sentBy(sandbox, id)).map(({ to }) => to).sort()).toEqual(
    Array.from({ length: 20 }, (_, i) => phone(50 + i)),
  )
})

test('a contact that is deleted on its way is ineligible, and revoked consent holds for the next message', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), reminder, end])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await client.contacts.delete(contactOf(50))
  const { consent_records } = await client.consent.list(contactOf(51))
  for (const record of consent_records) await client.consent.revoke(contactOf(51), record.id)
  await clock.advance('1h')
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'COMPLETED_PARTIAL',
    counts: { completed: 1, ineligible: 2, failed: 0 },
  })
  expect((await client.campaigns.contacts(id)).reasons).toMatchObject([
    { status: 'ineligible', reason: 'consent_revoked', contacts: 1 },
    { status: 'ineligible', reason: 'contact_deleted', contacts: 1 },
  ])
})

test('a message that is known to be lost at the end counts as failed', async () => {
  await using sandbox = await createSandbox()
  const contacts = [contactOf(0), contactOf(11), contactOf(20)]
  const waiting = await run(sandbox, [notice, wait('1h'), end], contacts, '2h')
  expect(await sandbox.client.campaigns.status(waiting)).toMatchObject({
    status: 'COMPLETED_PARTIAL',
    counts: { completed: 2, failed: 1 },
  })
  expect((await sandbox.client.campaigns.contacts(waiting)).reasons).toMatchObject([
    { status: 'failed', reason: 'message_lost', contacts: 1 },
  ])
  const at_once = await run(sandbox, [notice, end], contacts, '2h')
  expect(await sandbox.client.campaigns.status(at_once)).toMatchObject({
    status: 'COMPLETED',
    counts: { completed: 3 },
  })
})

test('a template is sent with its data, and newsletters pay each subscriber once', async () => {
  await using sandbox = await createSandbox()
  const { content: _, ...rest } = notice
  const send = {
    ...rest,
    message_type: 'NEWSLETTER',
    template_id: templates.deliveryNotice,
    template_data: { name: 'all', eta: 'today' },
  } as const
  const id = await run(sandbox, [send, { ...send, id: 'again' }, end], [contactOf(50)])
  const messages = await sentBy(sandbox, id)
  expect(messages.map(({ content_type, template_id }) => [content_type, template_id])).toEqual([
    ['TEMPLATE', templates.deliveryNotice],
    ['TEMPLATE', templates.deliveryNotice],
  ])
  expect(messages.map(({ content }) => content.text)).toEqual(Array(2).fill('Hello all, your parcel arrives today.'))
  expect(messages.map(({ cost }) => cost).sort()).toEqual(['0.0000', '0.2000'])
})

test('contacts begin at the pace that the campaign sets, each batch at its own instant', async () => {
  await using sandbox = await createSandbox()
  const id = await define(sandbox, [notice, end], { audience: { tag: 'campaign-demo' }, throughput: 4 })
  await sandbox.client.campaigns.trigger(id)
  await sandbox.clock.advance('1m')
  const times = (await sentBy(sandbox, id)).map(({ created_at }) => Date.parse(created_at)).sort((a, b) => a - b)
  expect(times.map((at) => at - times[0]!)).toEqual(Array.from({ length: 20 }, (_, i) => i * 250))
  expect(times[0]).toBe(Date.parse('2026-01-01T00:00:00.250Z'))
})

test('messages of a campaign are found by its id, and others are not', async () => {
  await using sandbox = await createSandbox()
  await run(sandbox, [notice, end], [contactOf(50)])
  expect(await sentBy(sandbox, uuid(999))).toEqual([])
})
