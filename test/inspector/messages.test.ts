import { expect } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { look, story, violationsOn } from './browser.ts'

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const

const say = async (sandbox: Sandbox, text: string, to = '+491713920050') =>
  (await sandbox.client.messages.send({ ...RCS, to, content: { text } })).message_id

story('what is sent appears in the list by itself, and its status follows', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  await inspector.page.getByText('Nothing was sent in this world yet').waitFor()
  await say(sandbox, 'Your parcel arrives today.', '+491713920000')
  const row = inspector.page.getByRole('row', { name: /Your parcel arrives today/ })
  await row.getByText('queued').waitFor()
  await sandbox.client.clock.advance({ by: '1h' })
  await row.getByText('read', { exact: true }).waitFor()
})

story('a search narrows the list while one types, and stands in the address', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Your parcel arrives today.')
  await say(sandbox, 'Your table is booked.')
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  await inspector.page.getByRole('row', { name: /table/ }).waitFor()
  await inspector.page.keyboard.press('/')
  await inspector.page.keyboard.type('parcel')
  await inspector.page.getByRole('row', { name: /table/ }).waitFor({ state: 'detached' })
  await inspector.page.getByRole('row', { name: /parcel/ }).waitFor()
  expect(inspector.page.url()).toContain('?text=parcel')
})

story('100,000 messages are a list of a few rows, wherever one scrolls to', async () => {
  await using sandbox = await createSandbox({ rateLimits: false })
  for (let i = 0; i < 400; i++) await say(sandbox, `number ${i}`)
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const list = inspector.page.getByRole('region', { name: 'Messages, newest first' })
  await list.getByText('number 399').waitFor()
  expect(await list.getByRole('row').count()).toBeLessThan(70)
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await list.getByText('number 0', { exact: true }).waitFor()
  expect(await list.getByRole('row').count()).toBeLessThan(70)
})

story('a message tells why it went as it went, and what may happen to it now', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'Your parcel arrives today.')
  await using inspector = await look(sandbox)
  await inspector.to(`messages/${id}`)
  const { page } = inspector
  await page.getByRole('region', { name: 'Why' }).getByText('was GRANTED').waitFor()
  const read = page.getByRole('button', { name: 'message.read', exact: true })
  expect(await read.getAttribute('data-command')).toBe(`sandbox trigger message.read --message ${id}`)
  await read.click()
  await page.getByRole('region', { name: 'Timeline' }).getByText('read', { exact: true }).waitFor()
  await page.getByText('The message is read; this needs one that is queued, dispatched or delivered.').waitFor()
  expect(await read.getAttribute('aria-disabled')).toBe('true')
  await read.click({ force: true })
  expect(await sandbox.client.messages.get(id)).toMatchObject({ status: 'read' })
})

story('a queued message is revoked, and sent again', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'Your parcel arrives today.')
  await using inspector = await look(sandbox)
  await inspector.to(`messages/${id}`)
  const { page } = inspector
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The message is revoked;').first().waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(/Sent again as msg_/).waitFor()
  const { messages } = await sandbox.client.messages.list()
  expect(messages.map(({ status, content }) => ({ status, content }))).toEqual([
    { status: 'queued', content: { text: 'Your parcel arrives today.' } },
    { status: 'revoked', content: { text: 'Your parcel arrives today.' } },
  ])
})

story.for(['light', 'dark'] as const)('nobody is kept out of the pages of messages (%s)', async (colorScheme) => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'Your parcel arrives today.')
  await using inspector = await look(sandbox, { colorScheme })
  await inspector.to('messages')
  await inspector.page.getByRole('row', { name: /parcel/ }).waitFor()
  expect(await violationsOn(inspector.page)).toEqual([])
  await inspector.to(`messages/${id}`)
  await inspector.page.getByText('was GRANTED').waitFor()
  expect(await violationsOn(inspector.page)).toEqual([])
})
