import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { agents, channels, emailContacts, emails, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const mail = (to: string, message_type: 'MESSAGE' | 'NEWSLETTER' = 'MESSAGE') => ({
  channel_id: channels.email,
  to,
  subject: 'Hi',
  content: { text: 'Hi' },
  message_type,
})

/** A mail server with which ordinary addresses bounce, or complain. */
const mailWorld = (change: object) => worldLikeDefault((file) => Object.assign(file.mail, change))

/** A contact with all consent there is. */
async function newAda({ client }: Sandbox) {
  const { id } = await client.contacts.create({ email: 'Ada@example.com', phone: '+491713920077' })
  for (const [channel_type, message_type] of [
    ['EMAIL', 'NEWSLETTER'],
    ['RCS', 'MESSAGE'],
  ] as const)
    await client.consent.record(id, { channel_type, message_type, status: 'GRANTED', source: 'test' })
  return id
}

test('after a hard bounce the contact is BOUNCED: no more email, but RCS', async () => {
  await using sandbox = await createSandbox({ world: await mailWorld({ bounced: 1 }) })
  const { client, clock } = sandbox
  const id = await newAda(sandbox)
  const { message_id } = await client.messages.send(mail('ada@EXAMPLE.com'))
  expect(await client.contacts.get(id)).toMatchObject({ status: 'ACTIVE' })
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'bounced', cost: '0.0000' })
  expect(await client.contacts.get(id)).toMatchObject({ status: 'BOUNCED' })
  const updates = (await client.events.list({ subject: id, event: 'contact.updated' })).events
  expect(updates.at(-1)!.data).toMatchObject({ contact_id: id, status: 'BOUNCED' })
  for (const type of ['MESSAGE', 'NEWSLETTER'] as const)
    await expect(client.messages.send(mail('ada@example.com', type))).rejects.toMatchObject({
      status: 422,
      code: 'recipient_suppressed',
      body: { contact_status: 'BOUNCED' },
    })
  await client.messages.send({ ...rcsText, agent_id: agents.multi, to: '+491713920077' })
  // A manual update corrects it.
  await client.contacts.update(id, { status: 'ACTIVE' })
  await client.messages.send(mail('ada@example.com'))
})

test('after a complaint the contact is UNSUBSCRIBED, and its consent to newsletters is revoked', async () => {
  await using sandbox = await createSandbox({ world: await mailWorld({ complained: 1 }) })
  const { client, clock } = sandbox
  const id = await newAda(sandbox)
  const { message_id } = await client.messages.send(mail('Ada@example.com', 'NEWSLETTER'))
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'delivered', cost: '0.0050' })
  const contact = await client.contacts.get(id)
  expect(contact).toMatchObject({ status: 'UNSUBSCRIBED' })
  expect(contact.consent_records.map(({ channel_type, status }) => [channel_type, status])).toEqual(
    expect.arrayContaining([
      ['EMAIL', 'REVOKED'],
      ['RCS', 'GRANTED'],
    ]),
  )
  const names = (await client.events.list({ limit: 200 })).events.map(({ event }) => event)
  expect(names.slice(names.indexOf('email.complained'))).toEqual([
    'email.complained',
    'contact.updated',
    'consent.updated',
  ])
  await expect(client.messages.send(mail('Ada@example.com'))).rejects.toMatchObject({ code: 'recipient_suppressed' })
  await client.contacts.update(id, { status: 'ACTIVE' })
  await expect(client.messages.send(mail('Ada@example.com', 'NEWSLETTER'))).rejects.toMatchObject({
    code: 'consent_revoked',
  })
})

test('a magic recipient bounces and complains each time, and its contact stays unchanged', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (const [to, contact, status] of [
    [emails.bounced, emailContacts.bounced, 'bounced'],
    ['bounced+label@sandbox.test', undefined, 'bounced'],
    [emails.complained, emailContacts.complained, 'delivered'],
  ] as const)
    for (let i = 0; i < 2; i++) {
      const { message_id } = await client.messages.send(mail(to))
      await clock.advance('1m')
      expect(await client.messages.get(message_id)).toMatchObject({ status })
      if (contact) expect(await client.contacts.get(contact)).toMatchObject({ status: 'ACTIVE' })
    }
  expect((await client.events.list({ event: 'contact.updated' })).events).toEqual([])
  expect((await client.events.list({ event: 'consent.updated' })).events).toEqual([])
})

test('a stricter status is kept, and events of a former address do not affect the contact', async () => {
  await using sandbox = await createSandbox({ world: await mailWorld({ bounced: 1 }) })
  const { client, clock } = sandbox
  const id = await newAda(sandbox)
  await client.messages.send(mail('Ada@example.com'))
  await client.contacts.update(id, { status: 'BLOCKED' })
  await clock.advance('1m')
  expect(await client.contacts.get(id)).toMatchObject({ status: 'BLOCKED' })

  await client.contacts.update(id, { status: 'ACTIVE' })
  await client.messages.send(mail('Ada@example.com'))
  await client.contacts.update(id, { email: 'new@example.com' })
  await clock.advance('1m')
  expect(await client.contacts.get(id)).toMatchObject({ status: 'ACTIVE' })
})

test('a contact that was deleted before its mail bounced stays deleted', async () => {
  await using sandbox = await createSandbox({ world: await mailWorld({ bounced: 1 }) })
  const { client, clock } = sandbox
  const id = await newAda(sandbox)
  const { message_id } = await client.messages.send(mail('Ada@example.com'))
  await client.contacts.delete(id)
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'bounced' })
  await expect(client.contacts.get(id)).rejects.toMatchObject({ status: 404 })
})

test('a label of the suppressed magic address is ignored for every contact', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const suppressed = { code: 'recipient_suppressed', body: { contact_id: emailContacts.suppressed } }
  for (const to of ['suppressed+label@sandbox.test', 'Suppressed+a.b+c@Sandbox.Test'])
    for (const type of ['MESSAGE', 'NEWSLETTER'] as const)
      await expect(client.messages.send(mail(to, type)), `${type} to ${to}`).rejects.toMatchObject(suppressed)

  const to = 'suppressed+mine@sandbox.test'
  const { id } = await client.contacts.create({ email: to })
  await client.consent.record(id, {
    channel_type: 'EMAIL',
    message_type: 'NEWSLETTER',
    status: 'GRANTED',
    source: 'me',
  })
  await expect(client.messages.send(mail(to, 'NEWSLETTER'))).rejects.toMatchObject(suppressed)
  expect((await client.mailboxes.show(to)).contact).toEqual({ id: emailContacts.suppressed, status: 'UNSUBSCRIBED' })
  expect((await client.messages.list()).messages).toEqual([])

  await client.contacts.update(emailContacts.suppressed, { status: 'ACTIVE' })
  expect(await client.messages.send(mail('suppressed+label@sandbox.test'))).toMatchObject({ status: 'queued' })
})

test('a labelled magic address is that of the magic contact, with its consent, unless somebody else has it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (const [name, id] of Object.entries(emailContacts)) {
    if (name === 'suppressed') continue
    const to = (await client.contacts.get(id)).email!.replace('@', '+label@')
    for (const type of ['MESSAGE', 'NEWSLETTER'] as const) {
      const { message_id } = await client.messages.send(mail(to, type))
      expect(await client.messages.get(message_id)).toMatchObject({ to, contact_id: id })
    }
    expect((await client.mailboxes.show(to)).contact).toEqual({ id, status: 'ACTIVE' })
  }
  expect((await client.events.list({ event: 'contact.created' })).events).toEqual([])

  const own = await client.contacts.create({ email: 'delivered+own@sandbox.test' })
  await expect(client.messages.send(mail('delivered+own@sandbox.test', 'NEWSLETTER'))).rejects.toMatchObject({
    code: 'missing_consent',
    body: { contact_id: own.id },
  })
  await client.messages.send(mail('delivered+bounce@sandbox.test'))
  await clock.advance('500ms')
  await client.mailboxes.bounce('delivered+bounce@sandbox.test', {})
  expect(await client.contacts.get(emailContacts.delivered)).toMatchObject({ status: 'BOUNCED' })
})

test('a label makes any other address a different one', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email: 'ada@example.com' })
  await client.contacts.update(id, { status: 'UNSUBSCRIBED' })
  expect(await client.messages.send(mail('ada+label@example.com'))).toMatchObject({ status: 'queued' })
})
