import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { createClient } from '../../src/index.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { look, story } from './browser.ts'

/** Common parts of all pages: the command line at the foot, questions before something is lost, keyboard, namespaces. */

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
const PHONE = '+491713920050'

const say = async ({ client }: Sandbox, text: string) =>
  (await client.messages.send({ ...RCS, to: PHONE, content: { text } })).message_id

story('the command at the foot stays until another control is used, and a result names its own', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('time')
  const { page } = inspector
  const command = page.getByTestId('command')
  const button = page.getByRole('button', { name: '+24h' })
  await button.hover()
  await command.getByText('clock advance 24h').waitFor()
  // The pointer crosses other controls on its way to Copy, and the command stays.
  await page.getByRole('button', { name: 'Copy', exact: true }).hover()
  await page.mouse.move(600, 500)
  expect(await command.textContent()).toContain(`clock advance 24h --base-url ${sandbox.url}`)
  await page.getByRole('button', { name: 'real', exact: true }).click()
  const result = page.locator('.foot .result')
  await result.getByText('The clock is real.').waitFor()
  // A pointer that stays would rest on the button again, or on a control of the next page.
  await page.mouse.move(2, 2)
  await button.focus()
  await expect.poll(() => command.textContent()).toContain('clock advance 24h')
  expect(await result.textContent()).toContain('clock mode real')
  await inspector.to('network')
  await expect.poll(() => command.textContent()).not.toContain('sandbox')
  await expect.poll(() => result.textContent()).toBe('')
})

story(
  'the foot shows the last action with its own command until another control is used, and c copies it',
  async () => {
    await using sandbox = await createSandbox()
    await using inspector = await look(sandbox)
    await inspector.to('network')
    const { page } = inspector
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const [command, result] = [page.getByTestId('command'), page.locator('.foot .result')]
    const copied = async () => {
      await page.keyboard.press('c')
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const outage = page.getByRole('button', { name: 'Outage of nordfunk' })
    await outage.click()
    await result.getByText('“Outage of nordfunk” is on.').waitFor()
    await page.locator('[aria-label="Outage of nordfunk"][aria-pressed=true]').waitFor()
    // The switch now has the opposite command.
    expect(await command.textContent()).not.toContain('sandbox')
    expect(await copied()).toMatch(/^sandbox carriers set nordfunk --outage /)
    await page.getByRole('button', { name: 'Reset nordfunk' }).focus()
    await expect.poll(copied).toContain('carriers reset nordfunk')
    // The result of an earlier action does not stand below a new one.
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/_sandbox/carriers/nordfunk', (route) => held.then(() => route.fallback()))
    await outage.click()
    await expect.poll(() => result.textContent()).toContain('Running$ sandbox carriers set nordfunk --no-outage')
    answer()
    await result.getByText('“Outage of nordfunk” is off.').waitFor()
    await page.unroute('**/_sandbox/carriers/nordfunk')
  },
)

story('a command is copied without the clipboard of a secure page, and a button says when it is not', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('network')
  const { page } = inspector
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // As on the page of a sandbox that is opened by another machine's name.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
  const foot = page.locator('.foot')
  const copyCommandOf = async (name: string) => {
    await page.getByRole('button', { name }).focus()
    await foot.getByRole('button', { name: 'Copy', exact: true }).click()
  }
  await copyCommandOf('Outage of nordfunk')
  await foot.getByRole('button', { name: 'Copied' }).waitFor()
  const held = await page.evaluate(async () => {
    Reflect.deleteProperty(navigator, 'clipboard')
    const text = await navigator.clipboard.readText()
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
    document.execCommand = () => false
    return text
  })
  expect(held).toContain('carriers set nordfunk --outage')
  await copyCommandOf('Outage of rheinmobil')
  await foot.getByRole('button', { name: 'Not copied' }).waitFor()
})

story('a long result takes one line of the foot', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Shall we come?')
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  await inspector.to(`handsets/${PHONE}`)
  const { page } = inspector
  await page.getByRole('log').first().getByText('Shall we come?').waitFor()
  await page.getByLabel('Reply as the user').first().fill('No, later. '.repeat(50))
  await page.keyboard.press('Enter')
  await page.getByText('Replied “No').waitFor()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 860 })
    expect((await page.locator('.foot').boundingBox())!.height).toBeLessThan(70)
  }
})

story('a namespace that does not exist is reported, and created only on request', async () => {
  await using sandbox = await createSandbox()
  const names = async () => (await sandbox.client.namespaces.list()).namespaces.map(({ name }) => name)
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  await page.goto(`${sandbox.url}/#/typo-ns/messages`)
  await page.getByRole('heading', { name: 'Unknown namespace typo-ns' }).waitFor()
  expect(await names()).not.toContain('typo-ns')
  await page.getByRole('button', { name: 'Create typo-ns' }).click()
  await page.getByText('No messages yet.').waitFor()
  expect(await names()).toContain('typo-ns')
  await sandbox.client.namespaces.delete('typo-ns')
  await page.getByRole('heading', { name: 'Unknown namespace typo-ns' }).waitFor()
  expect(await names()).not.toContain('typo-ns')
  // Its key creates it, as a test would that runs again.
  await createClient({ baseUrl: sandbox.url, apiKey: 'sk_sandbox_typo-ns' }).billing.balance()
  await page.getByText('No messages yet.').waitFor()
})

story('an unknown namespace fits a phone beside the longest names', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  const [existing, unknown] = ['x'.repeat(63), 'y'.repeat(63)]
  await fetch(`${sandbox.url}/v1/billing/balance`, { headers: { Authorization: `Bearer sk_sandbox_${existing}` } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${sandbox.url}/#/${unknown}/messages`)
  await page.getByRole('link', { name: existing }).waitFor()
  await page.getByRole('button', { name: `Create ${unknown}` }).waitFor()
  expect(await page.evaluate(() => document.querySelector('main')!.scrollWidth)).toBe(390)
})

story('the timeline shows its columns whole at usual widths', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'Your parcel arrives today.')
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to(`messages/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('queued').waitFor()
  await page.locator('.connection.live').waitFor()
  await sandbox.client.clock.advance({ by: '1m' })
  await timeline.getByText('Your clock').waitFor()
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 860 })
    expect(await timeline.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  }
})

story('a message is replayed step by step with its balance, beside the list', async () => {
  await using receiver = await startReceiver()
  await using sandbox = await createSandbox()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.*'] })
  await say(sandbox, 'Your parcel arrives today.')
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  await page.getByRole('listitem').filter({ hasText: 'Your parcel' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const beside = page.getByRole('complementary', { name: 'Selected message' })
  await beside.getByText('webhook delivered').first().waitFor()
  const status = beside.locator('.message-head .status')
  expect(await status.textContent()).toMatch(/^(delivered|read)$/)
  await beside.getByRole('slider').fill('0')
  await expect.poll(() => status.textContent()).toBe('queued')
  await beside.getByText('not settled yet').waitFor()
  // It cannot be revoked now.
  expect(await beside.getByRole('button', { name: 'Revoke' }).getAttribute('aria-disabled')).toBe('true')
  await beside.getByText(/As of/).getByText('queued').waitFor()
  await beside.getByText(/free, €\s0\.0\d+ reserved/).waitFor()
  await beside.getByText('Not delivered at this time.').waitFor()
  const delivered = beside.getByRole('region', { name: 'Timeline' }).getByText('delivered')
  await expect.poll(() => delivered.count()).toBe(0)
  await beside.getByRole('button', { name: 'Back to now' }).click()
  await delivered.waitFor()
  await expect.poll(() => page.title()).toContain(`Message to ${PHONE}`)
  await page.keyboard.press('Escape')
  await beside.waitFor({ state: 'detached' })
  await expect.poll(() => page.url()).toMatch(/\/messages$/)
  await expect.poll(() => page.title()).toMatch(/^Messages · /)
})

story('the keyboard goes from a row of the inbox into its message and back; all rows are one tab stop', async () => {
  await using sandbox = await createSandbox()
  for (let i = 0; i < 30; i++) await say(sandbox, `Text ${i}`)
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  const row = (text: string) =>
    page
      .getByRole('listitem')
      .getByRole('link')
      .filter({ hasText: new RegExp(`${text}$`) })
  const beside = page.getByRole('complementary', { name: 'Selected message' })
  const hasFocus = (at: Locator) => at.evaluate((one) => one === document.activeElement)
  await row('Text 29').waitFor()
  const tabStops = () => page.locator('[data-row][tabindex="0"]').count()
  await expect.poll(tabStops).toBe(1)
  for (const key of ['j', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await beside.waitFor()
  await expect.poll(() => hasFocus(beside)).toBe(true)
  expect(await tabStops()).toBe(1)
  await page.keyboard.press('Tab')
  expect(await hasFocus(beside.getByRole('link', { name: '✕ Close' }))).toBe(true)
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => hasFocus(row('Text 28'))).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(beside)).toBe(true)
  await page.keyboard.press('Escape')
  await beside.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(row('Text 28'))).toBe(true)
  await page.keyboard.press('j')
  await expect.poll(() => hasFocus(row('Text 27'))).toBe(true)
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('go to the message beside it').waitFor()
})

story('the keyboard reaches the content of a page first, and the fields of a dialog at once', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('webhooks')
  await page.getByText('No endpoints yet.').waitFor()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement!.textContent)
  expect(await focused()).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Add endpoint')
  await page.keyboard.press('Enter')
  await page.getByLabel('url *').waitFor()
  await page.keyboard.type('http://localhost:3000/hook')
  expect(await page.getByLabel('url *').inputValue()).toBe('http://localhost:3000/hook')
})

story('new messages do not move the rows in view', async () => {
  await using sandbox = await createSandbox()
  for (let i = 0; i < 60; i++) await say(sandbox, `Old ${i}`)
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  const list = page.getByRole('region', { name: 'Messages, newest first' })
  await list.getByText('Old 59', { exact: true }).waitFor()
  await page.keyboard.press('j')
  const focused = () => page.evaluate(() => document.activeElement!.textContent)
  await expect.poll(focused).toMatch(/Old 59$/)
  await say(sandbox, 'Old 60')
  await list.getByText('Old 60', { exact: true }).waitFor()
  // Enter opens the message that had the focus, whatever came above it.
  expect(await focused()).toMatch(/Old 59$/)
  await list.evaluate((element) => element.scrollTo(0, 1_000))
  const row = list.getByText('Old 30', { exact: true })
  const before = await row.boundingBox()
  for (let i = 0; i < 20; i++) await say(sandbox, `New ${i}`)
  await page.getByRole('button', { name: '↑ 20 new' }).waitFor()
  expect(await row.boundingBox()).toEqual(before)
  await page.getByRole('button', { name: '↑ 20 new' }).click()
  await list.getByText('New 19', { exact: true }).waitFor()

  await inspector.to('events')
  const event = page.getByRole('row', { name: /^40 / })
  await event.scrollIntoViewIfNeeded()
  const at = await event.boundingBox()
  for (let i = 0; i < 120; i++) await say(sandbox, `Newest ${i}`)
  await page.getByRole('button', { name: '↑ 120 new' }).waitFor()
  expect(await event.boundingBox()).toEqual(at)
  await page.getByRole('button', { name: '↑ 120 new' }).click()
  await page.getByRole('row', { name: /^201 / }).waitFor()

  await inspector.to('messages')
  await list.getByText('Newest 119', { exact: true }).waitFor()
  await list.evaluate((element) => element.scrollTo(0, 1_000))
  for (let i = 0; i < 5; i++) await say(sandbox, `Last ${i}`)
  await page.getByRole('button', { name: '↑ 5 new' }).waitFor()
  await sandbox.client.world.reset({ scope: 'messages' })
  await page.getByText('No messages yet.').waitFor()
  await say(sandbox, 'After the reset')
  await list.getByText('After the reset', { exact: true }).waitFor()
  await page.getByText('1 message', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0)
})

story('a message is composed with a preview, and a refusal is shown beside its field', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  await inspector.to('compose')
  const { page } = inspector
  await page.getByLabel('Text', { exact: true }).fill('Shall we come?')
  await page.getByRole('button', { name: 'Add suggestion' }).click()
  await page.getByRole('figure').filter({ hasText: 'iOS' }).getByText('Yes').waitFor()
  await page.getByText('The service would accept this').waitFor()
  await page.getByLabel('TTL').fill('soon')
  await page
    .getByRole('alert')
    .getByText(/must be whole seconds/)
    .waitFor()
  await page.getByLabel('TTL').fill('')
  await page.getByRole('button', { name: 'curl', exact: true }).click()
  await page.getByText(`curl -X POST ${sandbox.url}/v1/messages`).waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page
    .getByText(/^Sent as/)
    .first()
    .waitFor()
  const { messages } = await sandbox.client.messages.list()
  expect(messages).toMatchObject([{ content: { text: 'Shall we come?', suggestions: [{ reply: { text: 'Yes' } }] } }])
  for (const kind of ['Card', 'Carousel', 'Email']) {
    await page.getByRole('button', { name: kind, exact: true }).click()
    await page.getByText('The service would accept this').waitFor()
  }
})

story('a sentence in a table is not cut on a narrow screen', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await page.setViewportSize({ width: 390, height: 844 })
  await inspector.to('mailboxes')
  const cell = page.getByRole('cell', { name: 'the contact is UNSUBSCRIBED: 422 at send' })
  await expect.poll(() => cell.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
})

story('every page can be reached by palette and shortcuts', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search pages/ }).fill('billing')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Time', level: 1 }).waitFor()
  await page.locator('[aria-live]').getByText('Time').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type(PHONE)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Phone ${PHONE}` }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('run out of money')
  await page.getByRole('option', { name: /billing\.setBalance/ }).click()
  await page.getByRole('heading', { name: /^Set the free balance/ }).waitFor()
})

story('the palette lists words that begin with the typed text first, and the search of messages last', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const { page } = inspector
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fault')
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  await options.filter({ hasText: 'faults.add' }).waitFor()
  const texts = await options.allTextContents()
  const at = (part: string) => texts.findIndex((text) => text.includes(part))
  expect(texts[0]).toMatch(/\bfault/)
  expect(at('Reset a simulated phone to defaults')).toBeGreaterThan(at('faults.add'))
  expect(at('Messages that contain “fault”')).toBe(texts.length - 1)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('/api/faults.')
  // Nothing else matches.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('no such thing')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('/messages?text=no+such+thing')
})

story(
  'the palette finds a recipient by a part, and the inbox shows the year of a message from another one',
  async () => {
    await using sandbox = await createSandbox()
    await say(sandbox, 'Your parcel arrives today.')
    const year = Number((await sandbox.client.clock.show()).now.slice(0, 4))
    await using inspector = await look(sandbox)
    const { page } = inspector
    await inspector.to('messages')
    const time = page.getByRole('listitem').locator('time')
    await expect.poll(() => time.textContent()).toMatch(/^\d\d-\d\d /)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('3920050')
    await page.getByRole('option', { name: `${PHONE} in Phones` }).click()
    await page.getByRole('heading', { name: `Phone ${PHONE}` }).waitFor()
    await sandbox.client.clock.advance({ to: `${year + 1}-02-01T00:00:00Z` })
    await inspector.to('messages')
    await expect.poll(() => time.textContent()).toMatch(new RegExp(`^${year}-\\d\\d-\\d\\d `))
  },
)

story('a label takes 25 characters, emoji too, and more are refused beside it', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('compose')
  const { page } = inspector
  await page.getByRole('button', { name: 'Add suggestion' }).click()
  const label = page.getByLabel('Label')
  await label.fill('')
  await page.keyboard.insertText('😀'.repeat(25))
  await page.getByText('The service would accept this').waitFor()
  expect([...(await label.inputValue())]).toHaveLength(25)
  await page.keyboard.insertText('!')
  await page.getByText('Suggestion 1, Label: must have at most 25 characters').waitFor()
})

story('a refused suggestion or card is named as the form names it', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('compose')
  await page.getByRole('button', { name: 'Add suggestion' }).click()
  await page.getByRole('button', { name: 'Add suggestion' }).click()
  await page.getByLabel('Kind').nth(1).selectOption('open_url')
  await page.getByText('Suggestion 2, URL: must be an http or https URL').waitFor()
  await page.getByRole('button', { name: 'Carousel' }).click()
  await page.getByLabel('Title').nth(1).fill('x'.repeat(201))
  await page.locator('.card-fields').nth(1).getByText('must have at most 200 characters').waitFor()
  await page.getByText('Correct the marked fields.').waitFor()
  expect(await page.locator('form').textContent()).not.toContain('content.')
})

story('a refusal lists each refused field, and an empty list names no filter', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  await inspector.to('events')
  await page.getByText('No events yet.').waitFor()
  await inspector.to('events?event=message.read')
  await page.getByText('No events match.').waitFor()
  await inspector.to('api/contacts.create')
  await page.getByLabel('phone', { exact: true }).fill('12')
  await page.getByLabel('email', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Send request' }).click()
  await page
    .locator('.foot .bad')
    .getByText(/ email: .*; phone: /)
    .waitFor()
})

story('on a phone, all pages and the theme are in a menu', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('messages')
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  const number = await links.count()
  await page.setViewportSize({ width: 400, height: 860 })
  await expect.poll(() => links.count()).toBe(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect.poll(() => links.count()).toBe(number + 1) // the documents of the API
  for (const link of await links.all()) {
    const { x, width, y, height } = (await link.boundingBox())!
    expect([x >= 0, y >= 0, x + width <= 400, y + height <= 860]).toEqual([true, true, true, true])
  }
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  await links.filter({ hasText: 'Campaigns' }).click()
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  await expect.poll(() => links.count()).toBe(0)
})

story('on a phone, the status of each campaign is shown whole', async () => {
  await using sandbox = await createSandbox()
  const campaign = '00000000-0000-4000-8000-000000000103'
  await sandbox.client.campaigns.trigger(campaign)
  await sandbox.client.clock.advance({ by: '1h' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  await page.setViewportSize({ width: 400, height: 860 })
  await inspector.to('campaigns')
  const { x, width } = (await page.getByText('COMPLETED_PARTIAL').boundingBox())!
  expect(x + width).toBeLessThan(400 - 24)
})

story('the bar at the top fits a screen of 320 pixels, and each part has its place', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await page.setViewportSize({ width: 320, height: 640 })
  await inspector.to('messages')
  await page.locator('.clock .mono').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect((await page.getByLabel('Namespace').boundingBox())!.width).toBeGreaterThan(60)
  const [namespaces, clock] = [page.getByLabel('Namespace'), page.locator('.clock')]
  const [before, after] = [await namespaces.boundingBox(), await clock.boundingBox()]
  expect(before!.x + before!.width).toBeLessThanOrEqual(after!.x)
})

story('forced colours show what is on and chosen, and outline messages', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, 'Shall we come?')
  await sandbox.client.clock.advance({ by: '1h' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  await page.emulateMedia({ forcedColors: 'active' })
  await inspector.to(`handsets/${PHONE}`)
  await page.getByRole('button', { name: 'Power' }).waitFor()
  const style = (one: Locator, name: 'backgroundColor' | 'outlineStyle') =>
    one.evaluate((element, name) => getComputedStyle(element)[name], name)
  const chosen = await style(page.getByRole('button', { name: 'Both' }), 'backgroundColor')
  expect(chosen).not.toBe(await style(page.getByRole('button', { name: 'iOS' }), 'backgroundColor'))
  expect(chosen).toBe(await style(page.getByRole('button', { name: 'Power' }), 'backgroundColor'))
  expect(await style(page.locator('.bubble').first(), 'outlineStyle')).toBe('solid')
  expect(await style(page.locator('.nav [aria-current]'), 'outlineStyle')).toBe('solid')
  await page.emulateMedia({ forcedColors: null })
})

story('the clock names its time zone', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  await expect.poll(() => inspector.page.locator('.clock').textContent()).toMatch(/\d\d:\d\d:\d\d UTC/)
})
