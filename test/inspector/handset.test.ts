import { expect } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { look, story, violationsOn } from './browser.ts'

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
const PHONE = '+491713920000'

async function arrive(sandbox: Sandbox, content: object) {
  const { message_id } = await sandbox.client.messages.send({ ...RCS, to: PHONE, content: content as never })
  await sandbox.client.clock.advance({ by: '1m' })
  return message_id
}

story('a tap on a phone reaches the agent', async () => {
  await using sandbox = await createSandbox()
  const id = await arrive(sandbox, {
    text: 'Shall we come?',
    suggestions: [{ reply: { text: 'Yes, do', postback_data: 'eWVz' } }],
  })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  const phone = page.getByRole('region', { name: 'Phone (Android)' })
  await phone.getByRole('button', { name: 'Yes, do' }).click()
  await phone.locator('.user').getByText('Yes, do').waitFor()
  await page.getByText(`sandbox handsets tap ${PHONE} 0 --message ${id}`).waitFor()
  await page.getByRole('link', { name: 'Contact', exact: true }).waitFor()
  const { events } = await sandbox.client.events.list({ event: 'conversation.started' })
  expect(events).toMatchObject([{ data: { user_message: { type: 'suggested_reply', postback_data: 'eWVz' } } }])
})

story('text typed on a phone is sent as a reply', async () => {
  await using sandbox = await createSandbox()
  await arrive(sandbox, { text: 'Shall we come?' })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  await page.getByLabel('Reply as the user').first().fill("No, that's ")
  const agent_id = AGENT.replace(/1$/, '3')
  // The message of another sender does not take the phone from who types.
  await sandbox.client.messages.send({ ...RCS, agent_id, to: PHONE, content: { text: 'Ten percent off' } })
  await sandbox.client.clock.advance({ by: '1h' })
  await page
    .getByLabel('Conversation with')
    .getByText('Sandbox Demo (ag_live_00000000…0001)')
    .waitFor({ state: 'attached' })
  await page.keyboard.type('too late')
  await page.keyboard.press('Enter')
  await page.locator('.user').getByText("No, that's too late").first().waitFor()
  const { messages } = await sandbox.client.messages.list({ direction: 'INBOUND' })
  expect(messages).toMatchObject([{ content: { text: "No, that's too late" } }])
})

story('replies of one instant keep their order', async () => {
  await using sandbox = await createSandbox()
  await arrive(sandbox, { text: 'Shall we come?' })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  const phone = page.getByRole('region', { name: 'Phone (Android)' })
  for (const text of ['first', 'second', 'third']) {
    await phone.getByLabel('Reply as the user').fill(text)
    await page.keyboard.press('Enter')
    await phone.locator('.user').getByText(text).waitFor()
  }
  expect(await phone.locator('.turn .bubble').allTextContents()).toEqual(['Shall we come?', 'first', 'second', 'third'])
})

story('chips vanish on Android with the next message; on iOS they stay until one is used', async () => {
  await using sandbox = await createSandbox()
  await arrive(sandbox, { text: 'One', suggestions: [{ reply: { text: 'Old chip', postback_data: 'YQ==' } }] })
  await arrive(sandbox, { text: 'Two' })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  await page.getByRole('button', { name: 'Android', exact: true }).click()
  await expect.poll(() => page.getByRole('log').count()).toBe(1)
  await page.getByRole('log').getByText('Two').waitFor()
  await page.getByRole('button', { name: 'Old chip' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'iOS', exact: true }).click()
  await page.getByRole('button', { name: 'Old chip' }).click()
  await page.locator('.user').getByText('Old chip').waitFor()
  await page.getByRole('button', { name: 'Old chip' }).waitFor({ state: 'detached' })
})

story('a card lists what does not fit, with a code and its source', async () => {
  await using sandbox = await createSandbox()
  const suggestions = ['One', 'Two', 'Three'].map((text) => ({ reply: { text, postback_data: 'YQ==' } }))
  const media = { url: 'https://example.com/a.jpg', height: 'MEDIUM' }
  const content = { title: 'Title', description: 'Description', media, suggestions }
  await arrive(sandbox, { rich_card: { standalone: { orientation: 'VERTICAL', content } } })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  await page.getByRole('button', { name: 'Android', exact: true }).click()
  await page.getByText('Not shown: “Three”').waitFor()
  await page.getByText('android-suggestion-dropped').waitFor()
  await expect.poll(() => page.locator('.card').boundingBox()).toMatchObject({ width: 300, height: 332 })
  await page.getByRole('button', { name: 'iOS', exact: true }).click()
  const options = page.getByRole('button', { name: 'Options' })
  await options.click()
  await page.keyboard.press('Escape')
  expect(await options.getAttribute('aria-expanded')).toBe('false')
  await options.click()
  await page.getByRole('button', { name: 'Three' }).waitFor()
})

story('the person confirms a double opt-in by its link on the phone or in the mailbox', async () => {
  await using sandbox = await createSandbox()
  const { consent, contacts, inbox } = sandbox.client
  const email = 'ada@example.com'
  const { id } = await contacts.create({ phone: PHONE, email })
  const about = { channel_type: 'RCS', message_type: 'NEWSLETTER', source: 'form' } as const
  const statusNow = async () =>
    (await consent.list(id)).consent_records.find((one) => one.message_type === 'NEWSLETTER')!.status
  await using inspector = await look(sandbox)
  const { page } = inspector
  for (const [doi_channel, address, place] of [
    ['RCS', PHONE, 'handsets'],
    ['EMAIL', email, 'mailboxes'],
  ] as const) {
    const record = await consent.record(id, { ...about, status: 'PENDING', enforced_doi: true, doi_channel })
    await inspector.to(`${place}/${address}`)
    const link = page.getByRole('link', { name: (await inbox.show(address)).messages[0]!.link! }).first()
    const opened = async () => (await Promise.all([page.waitForEvent('popup'), link.click()]))[0]
    const first = await opened()
    expect(await statusNow()).toBe('PENDING')
    await first.getByRole('button', { name: 'Confirm' }).click()
    await first.getByText('Thank you, this is confirmed').waitFor()
    expect(await statusNow()).toBe('GRANTED')
    await first.close()
    expect(await violationsOn(page)).toEqual([])
    await consent.revoke(id, record.id)
    const second = await opened()
    await second.getByText('Consent was withdrawn after the confirmation was sent').waitFor()
    expect(await violationsOn(second)).toEqual([])
    await second.close()
  }
})

story('a phone says how many messages are on the way to it', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Hi' } })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  await page.getByRole('link', { name: '1 message on the way' }).first().waitFor()
  await sandbox.client.clock.advance({ by: '1m' })
  await page.getByRole('log').first().getByText('Hi').waitFor()
})

story('messages to a phone that is off wait', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('handsets/+491713920060')
  const { page } = inspector
  await page.getByRole('button', { name: 'Power' }).click()
  await page.getByText('“Power” is off.').waitFor()
  await page.getByText('This phone is off').first().waitFor()
  expect(await sandbox.client.handsets.show('+491713920060')).toMatchObject({ on: false })
})

story('on iOS a tap on a long text opens it alone, and on Android cards have the height of their content', async () => {
  await using sandbox = await createSandbox()
  const description = 'Boils a litre in two minutes, and is silent while it does. '.repeat(8)
  const suggestions = [{ reply: { text: 'Take it', postback_data: 'YQ==' } }]
  const content = { title: 'Kettle', description, suggestions }
  await arrive(sandbox, { rich_card: { standalone: { orientation: 'VERTICAL', content } } })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  const opener = page.getByRole('button', { name: 'Open the text alone' })
  await opener.click()
  await page.getByRole('dialog', { name: 'Text alone' }).getByText(description.trim()).waitFor()
  expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Close'])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
  const missing = () =>
    page.locator('.card').evaluateAll((all) => all.map((one) => one.scrollHeight - one.clientHeight))
  await expect.poll(missing).toEqual([0, 0])
})

story('a conversation shows when each message, reply and tap came', async () => {
  await using sandbox = await createSandbox()
  await arrive(sandbox, { text: 'Shall we come?' })
  await sandbox.client.handsets.reply(PHONE, { text: 'STOP', agent_id: RCS.agent_id })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const log = inspector.page.getByRole('log').first()
  await log.getByText('STOP').waitFor()
  const { messages } = await sandbox.client.messages.search({})
  const came = messages.map(({ delivered_at, created_at }) => delivered_at ?? created_at)
  expect(await log.locator('time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))).toEqual(
    came.sort(),
  )
})

story(
  'the field for a reply is in sight on a screen of 800 pixels, and a page that is printed has no scroll box',
  async () => {
    await using sandbox = await createSandbox()
    await arrive(sandbox, { text: 'Shall we come? '.repeat(200) })
    await using inspector = await look(sandbox)
    const { page } = inspector
    await page.setViewportSize({ width: 1280, height: 800 })
    await inspector.to(`handsets/${PHONE}`)
    const field = await page.getByLabel('Reply as the user').first().boundingBox()
    const foot = await page.locator('.foot').boundingBox()
    expect(field!.y + field!.height).toBeLessThan(foot!.y)
    await page.emulateMedia({ media: 'print' })
    const hidden = () =>
      page.locator('.thread').evaluateAll((all) => all.map((one) => one.scrollHeight - one.clientHeight))
    expect(await hidden()).toEqual([0, 0])
    await page.emulateMedia({ media: null })
  },
)

story('what is no phone number has no phone', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  await inspector.to('handsets/xyz')
  await inspector.page.getByText('“xyz” is not a phone number').waitFor()
  expect(await inspector.page.getByRole('log').count()).toBe(0)
})
