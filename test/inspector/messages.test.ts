import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { lengthen } from '../../scripts/bench/long-log.ts'
import { createClient } from '../../src/index.ts'
import { startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { folder } from '../folder.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { blankPage, look, story } from './browser.ts'

const KEY = 'sk_sandbox_default'
const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const

const say = async (sandbox: Pick<Sandbox, 'client'>, text: string, to = '+491713920050') =>
  (await sandbox.client.messages.send({ ...RCS, to, content: { text } })).message_id

story('a sent message appears in the list without a reload, and its status is updated', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  await inspector.page.getByText('No messages yet.').waitFor()
  const address = `--base-url ${new URL(sandbox.url).origin}`
  await inspector.page.getByText(`sandbox send +491713920050 --text 'Your parcel arrives today.' ${address}`).waitFor()
  await say(sandbox, 'Your parcel arrives today.', '+491713920000')
  const row = inspector.page.getByRole('listitem').filter({ hasText: /Your parcel arrives today/ })
  await row.getByText('queued').waitFor()
  await sandbox.client.clock.advance({ by: '1h' })
  await row.getByText('read', { exact: true }).waitFor()
})

story('a row shows no id of a sender whose name is still being read', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Your parcel arrives today.')
  await using inspector = await look(sandbox)
  const { page } = inspector
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/_sandbox/world', (route) => promise.then(() => route.continue()))
  await inspector.to('messages')
  const row = page.getByRole('listitem').filter({ hasText: 'Your parcel' })
  await row.waitFor()
  expect(await row.textContent()).not.toContain('ag_')
  resolve()
  await row.getByText('Sandbox Demo').waitFor()
  await page.unrouteAll()
})

story('the list appears in its final form, without a shift of its rows', async () => {
  await using sandbox = await createSandbox()
  for (let i = 0; i < 20; i++) await say(sandbox, `Text ${i}`)
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  await inspector.page.getByText('Text 19', { exact: true }).waitFor()
  const sum = await inspector.page.evaluate(
    () =>
      new Promise<number>((done) => {
        const observer = new PerformanceObserver((list) =>
          done(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0)),
        )
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(0), 100)))
      }),
  )
  expect(sum).toBeLessThan(0.1)
})

story('a search filters the list while typing and is kept in the address', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Your parcel arrives today.')
  await say(sandbox, 'Your table is booked.')
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  await inspector.page.getByRole('listitem').filter({ hasText: /table/ }).waitFor()
  await inspector.page.keyboard.press('/')
  await inspector.page.keyboard.type('parcel')
  await inspector.page.getByRole('listitem').filter({ hasText: /table/ }).waitFor({ state: 'detached' })
  await inspector.page
    .getByRole('listitem')
    .filter({ hasText: /parcel/ })
    .waitFor()
  await expect.poll(() => inspector.page.url()).toContain('?text=parcel')
  await inspector.page.getByRole('button', { name: 'More filters' }).click()
  // Date and time are whole.
  const from = await inspector.page.getByLabel('Created from (UTC)').boundingBox()
  expect(from!.width).toBeGreaterThan(200)
  const channels = inspector.page.getByLabel('Email channel').getByRole('option')
  await expect.poll(() => channels.allInnerTexts()).toContain('Sandbox mail')
  expect(await channels.allInnerTexts()).not.toContain('Sandbox SMS')
})

story('a list of 100,000 messages renders only the visible rows', async () => {
  const data = await folder()
  const options = { world: await loadWorldFile('default'), folder: data, port: 0, rateLimits: false } as const
  const onFault = (error: unknown) => {
    throw error
  }
  const first = await startEmulator({ ...options, clock: { mode: 'frozen' }, onFault })
  await say(
    { client: createClient({ baseUrl: first.url, apiKey: KEY }) },
    'Your parcel arrives today.',
    '+491713920000',
  )
  await createClient({ baseUrl: first.url, apiKey: KEY }).clock.advance({ by: '1h' })
  await first.stop()
  lengthen(join(data, 'default.db'), 100_000)
  const emulator = await startEmulator({ ...options, onFault })
  onTestFinished(() => emulator.stop())
  await using inspector = await look({ url: emulator.url, apiKey: KEY })
  await inspector.to('messages')
  const { page } = inspector
  await page.getByText('100,000 messages').waitFor()
  const list = page.getByRole('region', { name: 'Messages, newest first' })
  for (const share of [0, 0.37, 0.93, 1]) {
    await list.evaluate((element, part) => element.scrollTo(0, part * element.scrollHeight), share)
    await expect.poll(() => list.getByText('Your parcel arrives today.').count()).toBeGreaterThan(15)
    expect(await list.getByRole('listitem').count()).toBeLessThan(70)
  }
})

story('a message shows the reason for each step and the events that are possible now', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'Your parcel arrives today.')
  await using inspector = await look(sandbox)
  await inspector.to(`messages/${id}`)
  const { page } = inspector
  await page.getByRole('region', { name: 'Why' }).getByText('was GRANTED').waitFor()
  const read = page.getByRole('button', { name: 'message.read', exact: true })
  await expect
    .poll(() => read.getAttribute('data-command'))
    .toBe(`sandbox trigger message.read --message ${id} --base-url ${new URL(page.url()).origin}`)
  await read.click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('read', { exact: true }).waitFor()
  // A step has the name of the status that it leads to, as in the list.
  await timeline.getByText('dispatched', { exact: true }).waitFor()
  await page.getByText('The message is read. The event needs status queued, dispatched or delivered.').waitFor()
  await expect.poll(() => read.getAttribute('aria-disabled')).toBe('true')
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
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.locator('.message-head .status').getByText('revoked').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.locator('.message-head .status').getByText('queued').waitFor()
  expect(page.url()).not.toContain(id)
  const { messages } = await sandbox.client.messages.list()
  expect(messages.map(({ status, content }) => ({ status, content }))).toEqual([
    { status: 'queued', content: { text: 'Your parcel arrives today.' } },
    { status: 'revoked', content: { text: 'Your parcel arrives today.' } },
  ])
})

story('a search that begins while the list is read again shows what it searches for', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Your parcel arrives today.')
  const namespace = sandbox.apiKey.replace('sk_sandbox_', '')
  // The list is read 300 ms after an event and searched 200 ms after a key, and its effects take a frame.
  for (const waitMs of [80, 84, 88, 92]) {
    await using blank = await blankPage()
    const { page } = blank
    await page.clock.install({ time: 0 })
    await page.goto(`${sandbox.url}/#/${namespace}/messages`)
    const rows = page.getByRole('listitem').filter({ hasText: /arrives|booked/ })
    await rows.filter({ hasText: 'arrives' }).waitFor()
    await page.clock.pauseAt(60_000)
    await page.clock.runFor(2_000)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const arrival = new Promise((resolve) => network.once('Network.dataReceived', resolve))
    await say(sandbox, 'Your table is booked.')
    await arrival
    await page.clock.runFor(waitMs)
    await page.keyboard.press('/')
    await page.keyboard.type('parcel')
    const rowsAfterRead = async () => {
      await page.clock.runFor(100)
      return rows.count()
    }
    await expect.poll(rowsAfterRead).toBe(1)
  }
})

story('a selected row stays in sight, and j and k start from it', async () => {
  await using sandbox = await createSandbox()
  for (let i = 0; i < 90; i++) await say(sandbox, `Text ${i}`)
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  await page.getByText('90 messages').waitFor()
  const list = page.getByRole('region', { name: 'Messages, newest first' })
  await list.evaluate((element) => element.scrollTo(0, 1500))
  const row = list.locator('a').filter({ hasText: /Text 40$/ })
  await row.click()
  await list.and(page.locator('.two-lines')).waitFor()
  await expect.poll(() => row.evaluate(isInSight)).toBe(true)
  await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Text 39')
  await page.getByRole('link', { name: '✕ Close' }).click()
  await list.and(page.locator('.one-line')).waitFor()
  await expect.poll(() => row.evaluate(isInSight)).toBe(true)
})

const isInSight = (row: Element) => {
  const [own, box] = [row, row.closest('section')!].map((one) => one.getBoundingClientRect())
  return own!.top >= box!.top - 1 && own!.bottom <= box!.bottom + 1
}

story('a long text leaves status and buttons of its message in sight', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'A long text. '.repeat(200))
  await using inspector = await look(sandbox)
  const { page } = inspector
  await page.setViewportSize({ width: 390, height: 844 })
  await inspector.to(`messages/${id}`)
  // The heading while the message is read has another text.
  const heading = page.getByRole('heading', { level: 1, name: 'A long text.' })
  await heading.waitFor()
  await expect.poll(async () => (await heading.boundingBox())!.height).toBeLessThan(100)
})

story('a message that waits shows its cause at the top until it goes on', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.handsets.set('+491713920050', { on: false })
  await client.rules.add({ match: { to: '+491713920055' }, behaviour: { outcome: 'never_delivered' } })
  const off = await say(sandbox, 'Your parcel arrives today.')
  const { message_id: never } = await client.messages.send({ ...RCS, to: '+491713920055', content: { text: 'Hi' } })
  const { message_id: late } = await client.messages.send({ ...RCS, to: '+491713920022', content: { text: 'Hi' } })
  await client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  const head = page.locator('.message-head')
  await inspector.to(`messages/${never}`)
  await head.getByText(/This message waits\. Cause: rule .*never_delivered.*Next: Message expires/).waitFor()
  await inspector.to(`messages/${off}`)
  await head.getByText(/This message waits\. Cause: waiting the phone is switched off\./).waitFor()
  await client.handsets.set('+491713920050', { on: true })
  await client.clock.advance({ by: '1m' })
  await head.getByText('This message waits').waitFor({ state: 'detached' })
  await inspector.to(`messages/${late}`)
  await head.getByText('Next: Message arrives').waitFor()
  expect(await head.getByText('This message waits').count()).toBe(0)
  await head.getByText('The clock is frozen: advance it.').waitFor()
  await client.clock.mode({ mode: 'real' })
  await head.getByText('The clock is frozen').waitFor({ state: 'detached' })
})

story('a message that bounced or expired shows its cause at the top', async () => {
  await using sandbox = await createSandbox()
  const { message_id: bounced } = await sandbox.client.messages.send({
    channel_id: 'ch_00000000-0000-4000-8000-000000000001',
    to: 'bounced@sandbox.test',
    subject: 'An order',
    content: { text: 'Hello' },
  })
  const { message_id: expired } = await sandbox.client.messages.send({
    ...{ ...RCS, to: '+491713920020', ttl: '60s' },
    content: { text: 'Hello' },
  })
  await sandbox.client.handsets.set('+491713920050', { on: false })
  const { message_id: waited } = await sandbox.client.messages.send({
    ...{ ...RCS, to: '+491713920050', ttl: '60s' },
    content: { text: 'Hello' },
  })
  await using receiver = await startReceiver()
  receiver.answer(() => 401)
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.expired'] })
  await sandbox.client.clock.advance({ by: '2m' })
  await using inspector = await look(sandbox)
  const head = inspector.page.locator('.message-head')
  await inspector.to(`messages/${waited}`)
  await head.getByText('Cause: waiting the phone is switched off').waitFor()
  await inspector.page.getByText('webhook pending (HTTP 401)').waitFor()
  await inspector.to(`messages/${bounced}`)
  await head.getByText('Cause: magic recipient outcome bounced, bounce_type hard').waitFor()
  await inspector.to(`messages/${expired}`)
  await head.getByText('Cause: magic recipient outcome never_delivered').waitFor()
})

story('a list uses the width of its page for the text', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Your parcel arrives today between 14:00 and 16:00. '.repeat(4))
  await using inspector = await look(sandbox)
  await inspector.page.setViewportSize({ width: 2560, height: 900 })
  await inspector.to('messages')
  const text = inspector.page.locator('.list .says > bdi')
  await expect.poll(() => text.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

story('an empty list leads to the refused sends, of a searched recipient or of all', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Hi', '+491713920041').catch(() => {})
  await using inspector = await look(sandbox)
  await inspector.to('messages?text=%2B491713920041')
  await inspector.page.getByRole('link', { name: 'Refused sends to +491713920041' }).click()
  await inspector.page.getByText('consent_revoked').waitFor()
  await inspector.to('messages')
  await inspector.page.getByText('No messages yet.').waitFor()
  await inspector.page.getByRole('link', { name: '1 refused send', exact: true }).click()
  await inspector.page.getByText('consent_revoked').waitFor()
  expect(await inspector.page.getByLabel('Status').inputValue()).toBe('4xx,5xx')
})

story('back leads to the filters before, and a typed word is one step', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  const failed = page.getByRole('button', { name: 'failed', exact: true })
  await failed.click()
  await page.getByLabel('Search').pressSequentially('pa', { delay: 300 })
  await page.waitForURL(/text=pa$/)
  await page.goBack()
  await page.waitForURL(/messages\?status=failed$/)
  await expect.poll(() => failed.getAttribute('aria-pressed')).toBe('true')
  await page.goBack()
  await page.waitForURL(/messages$/)
  await expect.poll(() => failed.getAttribute('aria-pressed')).toBe('false')
})

story('events are triggered on the message of now only', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'Hi', '+491713920000')
  await sandbox.client.clock.advance({ by: '1h' })
  await using inspector = await look(sandbox)
  await inspector.to(`messages/${id}`)
  const { page } = inspector
  const trigger = page.getByRole('region', { name: 'Trigger an event' })
  await trigger.waitFor()
  await page.getByRole('slider').fill('0')
  await trigger.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Back to now' }).click()
  await trigger.waitFor()
})
