import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { agents, channels, emails, phones, templates } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const order = { channel_id: channels.email, to: emails.clicked, template_id: templates.orderConfirmation } as const
const notice = {
  agent_id: agents.multi,
  to: phones.tapsFirstSuggestion,
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  template_id: templates.deliveryNotice,
} as const

test('an email template is sent with its data in subject, html and text', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send({ ...order, template_data: { name: 'Ada', order_id: 'A-7' } })
  expect(await client.messages.get(message_id)).toMatchObject({
    template_id: templates.orderConfirmation,
    content_type: 'TEMPLATE',
    content: {
      subject: 'Your order A-7',
      text: 'Hello Ada, thank you for your order A-7.',
      html: expect.stringContaining('<a href="https://example.com/orders/A-7">A-7</a>'),
    },
  })
  await clock.advance('1m')
  const { events } = await client.events.list({ event: 'email.clicked' })
  expect(events).toMatchObject([
    { data: { message_id, subject: 'Your order A-7', url: 'https://example.com/orders/A-7' } },
  ])
})

test('an RCS template brings its suggestions', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send({ ...notice, template_data: { name: 'Ada', eta: 'at noon' } })
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({
    status: 'read',
    content_type: 'TEMPLATE',
    content: { text: 'Hello Ada, your parcel arrives at noon.', suggestions: [{ reply: { text: 'Thanks' } }, {}] },
  })
  expect((await client.events.list({ event: 'conversation.started' })).events).toMatchObject([
    { data: { user_message: { text: 'Thanks', postback_data: 'dGhhbmtz' } } },
  ])
})

test('a value is not expanded as a template again', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({
    ...notice,
    template_data: { name: '{{eta}} $& $1', eta: '{{name}}' },
  })
  expect((await sandbox.client.messages.get(message_id)).content).toMatchObject({
    text: 'Hello {{eta}} $& $1, your parcel arrives {{name}}.',
  })
})

test('every absent variable is named, also one that every object has', async () => {
  const world = await worldLikeDefault((file) => {
    file.templates[1].content = { text: '{{constructor}} {{ name }} {{a.b}}' }
  })
  await using sandbox = await createSandbox({ world })
  await expect(sandbox.client.messages.send({ ...notice, template_data: { name: 'Ada' } })).rejects.toMatchObject({
    code: 'template_data_missing',
    body: {
      message: 'The template needs constructor, a.b in template_data. Its variables are constructor, name, a.b.',
    },
    details: [{ field: 'template_data.constructor' }, { field: 'template_data.a.b' }],
  })
  const { message_id } = await sandbox.client.messages.send({
    ...notice,
    template_data: { name: 'Ada', constructor: 1, 'a.b': true },
  })
  expect((await sandbox.client.messages.get(message_id)).content).toEqual({ text: '1 Ada true' })
})

test('a value for a variable that the template does not have is refused with the nearest name, and nothing is sent', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await expect(client.messages.send({ ...notice, template_data: { nmae: 'Ada', eta: 'now' } })).rejects.toMatchObject({
    status: 400,
    code: 'validation_error',
    body: {
      message: 'template_data.nmae: is not a variable of the template, did you mean "name"?',
      details: [{ field: 'template_data.nmae', code: 'unknown_variable' }],
    },
  })
  await expect(
    client.messages.send({ ...notice, template_data: { name: 'Ada', eta: 'now', order_id: 'A-7', voucher: true } }),
  ).rejects.toMatchObject({
    details: [
      { field: 'template_data.order_id', message: 'is not a variable of the template; there are name, eta' },
      { field: 'template_data.voucher', message: 'is not a variable of the template; there are name, eta' },
    ],
  })
  expect((await client.messages.list({})).messages).toEqual([])
})

test('the world shows the variables of each template', async () => {
  await using sandbox = await createSandbox()
  const { templates: shown } = await sandbox.client.world.show()
  expect(shown.map(({ name, variables }) => [name, variables])).toEqual([
    ['Order confirmation', ['order_id', 'name']],
    ['Delivery notice', ['name', 'eta']],
  ])
})

test('the latest version is sent unless another is named', async () => {
  const world = await worldLikeDefault((file) => {
    const [, first] = file.templates
    file.templates.push(
      { ...first, version: '2', content: { text: 'Second' } },
      { ...first, version: '1.5', content: { text: 'Latest' } },
    )
  })
  await using sandbox = await createSandbox({ world })
  const text = async (template_version?: string, template_data = {}) => {
    const { message_id } = await sandbox.client.messages.send({ ...notice, template_version, template_data })
    return (await sandbox.client.messages.get(message_id)).content.text
  }
  expect([await text(), await text('2'), await text('1', { name: 'Ada', eta: 'now' }), await text('1.5')]).toEqual([
    'Latest',
    'Second',
    'Hello Ada, your parcel arrives now.',
    'Latest',
  ])
})

test('a value that makes the content break a limit is refused like any other content', async () => {
  await using sandbox = await createSandbox()
  await expect(
    sandbox.client.messages.send({ ...notice, template_data: { name: 'x'.repeat(3_072), eta: 'now' } }),
  ).rejects.toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ field: 'content.text' }],
  })
})

test('a subject of the request overrides that of the template', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({
    ...order,
    subject: 'Mine',
    template_data: { name: 'Ada', order_id: '7' },
  })
  expect((await sandbox.client.messages.get(message_id)).content).toMatchObject({ subject: 'Mine' })
})
