import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect } from 'vitest'
import { AGENT, MAIL, PHONE, shopDay, U } from '../../scripts/screenshots/shop-day.ts'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { reachableEmulator } from '../server/reachable.ts'
import { shared } from '../server/tenants/shared.ts'
import { COLOUR_RULES, type Look, look, NARROW_RULES, story, violationsOn } from './browser.ts'

const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const

/** Answers the question that an action asks before it destroys something. */
const confirm = (page: Page, answer: string) =>
  page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()

/** A place of the inspector, and a word that it shows once it has read all. */
const PLACES: readonly (readonly [place: string, shows: string])[] = [
  ['messages', 'Messages'],
  ['compose', 'The service would'],
  ['events', 'status read'],
  ['api', 'messages.send'],
  ['handsets', 'Magic recipients'],
  [`handsets/${PHONE}`, 'Blue kettle'],
  ['mailboxes', 'Magic recipients'],
  [`mailboxes/${MAIL}`, 'Your order 4711'],
  ['time', 'Next scheduled work'],
  ['network', 'Queued to dispatched'],
  ['worlds', 'before-lunch'],
  ['campaigns', 'Demo campaign'],
  [`campaigns/${U(101)}`, 'Progress'],
  ['agents', 'Sandbox Demo'],
  [`agents/${AGENT}`, 'Launch per carrier'],
  ['contacts', 'contact.created'],
  [`contacts/c_${U(50)}`, 'magic-50'],
  ['billing', 'Ledger, newest first'],
  ['webhooks', 'localhost:9'],
  ['requests', '/v1/messages'],
]

/** As `PLACES`; the ids of both messages are new in each world. */
const OF_MESSAGES = [
  ['messages/MESSAGE', 'was GRANTED'],
  ['messages/MAIL', 'Your order'],
  ['messages?selected=MESSAGE', 'was GRANTED'],
] as const

/** A dialog of each kind, opened by a button or by keys. */
const DIALOGS = [
  ['time', 'Next scheduled work', 'Control+k'],
  ['time', 'Next scheduled work', '?'],
  ['webhooks', 'localhost:9', 'Add endpoint'],
  ['worlds', 'before-lunch', 'Delete before-lunch'],
  ['worlds', 'before-lunch', 'Restore here: before-lunch'],
] as const

/** One page for all places, because each has to compile the inspector and axe. */
describe('every page is accessible in both themes, and fits phones, tablets and desktops', () => {
  const shop = async () => {
    const sandbox = await createSandbox()
    return { sandbox, ...(await shopDay(sandbox)), inspector: await look(sandbox) }
  }
  let opened: ReturnType<typeof shop> | undefined
  afterAll(async () => {
    const all = await opened
    await all?.inspector[Symbol.asyncDispose]()
    await all?.sandbox[Symbol.asyncDispose]()
  })

  // Each has a time limit of its own, because all of them take minutes on a busy machine.
  for (const [place, shows, opens] of [...PLACES, ...OF_MESSAGES, ...DIALOGS] as readonly (readonly string[])[])
    story([place, opens].filter(Boolean).join(', '), async () => {
      opened ??= shop()
      const { inspector, message, mail } = await opened
      const path = place!.replace('MESSAGE', message).replace('MAIL', mail)
      expect(await problemsOf(inspector, path, shows!, opens)).toEqual([])
    })
})

async function problemsOf({ page, to }: Look, place: string, shows: string, opens?: string): Promise<string[]> {
  await to(place)
  await page.locator('main').getByText(shows).first().waitFor()
  if (opens) {
    const button = page.getByRole('button', { name: opens, exact: true })
    await (opens.length === 1 || opens.includes('+') ? page.keyboard.press(opens) : button.click())
    await page.getByRole('dialog').waitFor()
  }
  await expect.poll(() => page.locator('main .reading').count()).toBe(0)
  // Behind a dialog is a page that is looked at without it.
  const part = opens && 'dialog[open]'
  const light = await violationsOn(page, undefined, part)
  await page.emulateMedia({ colorScheme: 'dark' })
  const problems = [...light, ...(await violationsOn(page, COLOUR_RULES, part))]
  await page.emulateMedia({ colorScheme: 'light' })
  // 640 px is 1280 px at a zoom of 200 %.
  for (const width of [768, 640, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = await page.evaluate(() =>
      [document.documentElement, document.querySelector('main')!].some((box) => box.scrollWidth > box.clientWidth),
    )
    if (wide) problems.push(`scrolls sideways at ${width} px`)
    if (width !== 640) problems.push(...(await violationsOn(page, NARROW_RULES, part)))
  }
  await page.setViewportSize({ width: 1280, height: 860 })
  if (opens) await page.keyboard.press('Escape')
  return problems
}

story('buttons advance the clock, and the page lists the work that ran', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: '+491713920000', content: { text: 'Hi' } })
  await using inspector = await look(sandbox)
  await inspector.to('time')
  const { page } = inspector
  await page.getByRole('button', { name: 'To the next scheduled work' }).click()
  const fired = page.getByRole('region', { name: /^Work that ran until/ }).first()
  await fired.getByText('Message is dispatched').waitFor()
  await page.getByRole('button', { name: '+1h' }).click()
  await fired.getByText('Recipient reads the message').waitFor()
  expect((await sandbox.client.messages.list()).messages).toMatchObject([{ status: 'read' }])
  await page.getByRole('button', { name: 'auto' }).click()
  await expect.poll(async () => (await sandbox.client.clock.show()).mode).toBe('auto')
  await page.getByRole('button', { name: 'real', exact: true }).click()
  await page
    .getByRole('banner')
    .getByText(/^real [+−][\d.]+ (d|h|min|s)$/)
    .waitFor()
})

story('a clock runs at the factor that was typed, and at no other', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('time')
  const { page } = inspector
  const factor = page.getByLabel('Speed factor')
  const scaled = page.getByRole('button', { name: /^scaled/ })
  for (const nothing of ['abc', '0', '']) {
    await factor.fill(nothing)
    await page.locator('[aria-disabled=true]', { hasText: `scaled ×${nothing}` }).waitFor()
    await scaled.dispatchEvent('click')
  }
  expect((await sandbox.client.clock.show()).mode).toBe('frozen')
  await factor.fill('2.5')
  await scaled.click()
  await expect.poll(() => sandbox.client.clock.show()).toMatchObject({ mode: 'scaled', factor: 2.5 })
  await page.getByRole('button', { name: 'scaled ×2.5', pressed: true }).waitFor()
  // Another factor is not the one at which the clock runs.
  await factor.fill('30')
  await page.getByRole('button', { name: 'scaled ×30', pressed: false }).waitFor()
})

story('a filter reacts while it is typed, and ignores the spaces around it', async () => {
  await using sandbox = await createSandbox()
  for (const path of ['/v1/billing/balance', '/v1/messages'])
    await fetch(`${sandbox.url}${path}`, { headers: { Authorization: `Bearer ${sandbox.apiKey}` } })
  await using inspector = await look(sandbox)
  await inspector.to('requests')
  const { page } = inspector
  await page.getByRole('link', { name: '/v1/messages' }).waitFor()
  const field = page.getByLabel('Path starts with')
  await field.pressSequentially('/v1/bill ')
  await page.getByRole('link', { name: '/v1/messages' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '/v1/billing/balance' }).first().waitFor()
  await expect.poll(() => new URL(page.url()).hash).toMatch(/\?path=%2Fv1%2Fbill$/)
  expect(await field.inputValue()).toBe('/v1/bill ')
  // Another filter that is set meanwhile stays.
  await field.fill('/v1/messages')
  await page.getByLabel('Method').selectOption('GET')
  await page.getByRole('link', { name: '/v1/messages' }).waitFor()
  expect(new URL(page.url()).hash).toContain('method=GET')
})

story('the page of a contact lists the messages in both directions', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: phones.ordinary, content: { text: 'Shall we come?' } })
  await sandbox.clock.advance('1m')
  await sandbox.client.handsets.reply(phones.ordinary, { text: 'Yes, please' })
  const { contacts } = await sandbox.client.contacts.list({ text: phones.ordinary })
  await using inspector = await look(sandbox)
  await inspector.to(`contacts/${contacts[0]!.id}`)
  const list = inspector.page.getByRole('region', { name: 'Table: Messages' })
  await list.getByRole('link', { name: 'Yes, please' }).waitFor()
  await list.getByRole('link', { name: 'Shall we come?' }).click()
  await inspector.page.getByRole('heading', { name: 'Shall we come?' }).waitFor()
})

story('a long address and a long URL break where the page ends', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const to = `ada@${'sub.'.repeat(40)}example.com`
  const email = { channel_id: `ch_${U(1)}`, to, subject: 'O'.repeat(300), content: { text: 'It is on its way.' } }
  const { message_id } = await client.messages.send(email)
  await client.webhooks.create({ url: `http://localhost:9/${'hooks/'.repeat(30)}`, events: ['*'] })
  await client.messages.send({ ...RCS, to: phones.ordinary, content: { text: 'Hi' } })
  await using inspector = await look(sandbox)
  const { page } = inspector
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 860 })
    await inspector.to(`messages/${message_id}`)
    const link = (await page.locator('.message-head').getByRole('link', { name: to }).boundingBox())!
    expect(link.x + link.width).toBeLessThan(width)
    await inspector.to(`mailboxes/${to}`)
    await page.getByRole('heading', { level: 2, name: 'OOO' }).waitFor()
    expect(await page.locator('main').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  }
  const { agent_id } = await client.agents.create({
    region: 'EUROPE',
    use_case: 'OTP',
    billing_category: 'CONVERSATIONAL',
  })
  await client.agents.update(agent_id, { display_name: 'N'.repeat(90) })
  await inspector.to(`agents/${agent_id}`)
  await page.locator('.brand-card').waitFor()
  expect(await page.locator('main').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 860 })
  await inspector.to('time')
  const table = page.getByRole('region', { name: 'Table: Scheduled work' })
  await table.getByText('Webhook attempt').first().waitFor()
  await table.getByText('hooks/hooks').first().waitFor()
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
})

story('a long word in a table leaves its buttons in sight', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const word = 'W'.repeat(150)
  await client.rules.add({
    name: word.slice(0, 60),
    match: { text_contains: word },
    behaviour: { outcome: 'never_delivered' },
  })
  await client.webhooks.create({ url: `http://127.0.0.1:9/${word}`, events: ['*'], description: word })
  await client.contacts.create({ email: 'ada@example.com', tags: [word.slice(0, 50), `${word.slice(0, 49)}2`] })
  await using inspector = await look(sandbox)
  const { page } = inspector
  for (const [place, shows] of [
    ['network', 'Remove rule 1'],
    ['webhooks', 'Rotate secret'],
    ['contacts', word.slice(0, 50)],
  ] as const) {
    await inspector.to(place)
    await page.getByRole('button', { name: shows }).or(page.getByText(shows)).first().waitFor()
    const wider = () =>
      page.evaluate(
        () => [...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length,
      )
    await expect.poll(wider, { message: place }).toBe(0)
  }
})

story('every setting of a carrier can be changed and reset, and an invalid value is refused', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  await inspector.to('network')
  const { page } = inspector
  const change = async (settings: Record<string, string>) => {
    await page.getByRole('button', { name: 'Change nordfunk' }).click()
    for (const [name, text] of Object.entries(settings)) await dialog.getByLabel(name, { exact: true }).fill(text)
    await save.click()
  }
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  const now = () => sandbox.client.carriers.show('nordfunk')
  await change({
    delivery_delay: '2s..5s',
    failed: 'REJECTED_SPAM=20%, UNKNOWN_RCS_USER=0.05',
    never_delivered: '10%',
    throughput: '10',
  })
  const changed = {
    delivery_delay: '2s..5s',
    failed: { REJECTED_SPAM: 0.2, UNKNOWN_RCS_USER: 0.05 },
    never_delivered: 0.1,
    throughput: 10,
  }
  await expect.poll(now).toMatchObject({ ...changed, delivered: 0.65, dispatch_delay: '100ms..400ms', weight: 4 })
  await page.getByRole('cell', { name: 'REJECTED_SPAM=0.2, UNKNOWN_RCS_USER=0.05' }).waitFor()
  await change({ read_delay: 'soon', throughput: '' })
  await dialog.getByRole('alert').filter({ hasText: 'must be' }).waitFor()
  await dialog.getByLabel('read_delay').fill('600ms..2s')
  await dialog.getByLabel('weight').fill('')
  await dialog.getByText('cannot be empty.').waitFor()
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('weight').fill('4')
  await dialog.getByLabel('failed', { exact: true }).fill('')
  await save.click()
  await expect.poll(now).toMatchObject({ ...changed, throughput: null, failed: {}, read_delay: '600ms..2s' })
  await page.getByRole('button', { name: 'Outage of nordfunk' }).click()
  await expect.poll(now).toMatchObject({ outage: true })
  await page.getByRole('button', { name: 'Reset nordfunk' }).click()
  await expect.poll(now).toMatchObject({ outage: false, throughput: null, changed: [] })
})

story('a rule and a fault can be added, take effect, and can be removed', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('network')
  const { page } = inspector
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  const dialog = page.getByRole('dialog')
  await rules.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('match.carrier').waitFor()
  await dialog.getByLabel('match.text_contains').fill('lottery')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await rules.getByText('text_contains lottery').waitFor()
  await rules.getByRole('button', { name: 'Change rule 1' }).click()
  await dialog.getByTitle('Change a field first.').waitFor()
  await dialog.getByLabel('times').fill('2')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await sandbox.client.rules.list()).rules[0])
    .toMatchObject({
      match: { text_contains: 'lottery' },
      behaviour: { outcome: 'failed', failure_reason: 'UNKNOWN_RCS_USER' },
      times: 2,
    })
  const { message_id } = await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'The lottery' } })
  await sandbox.client.clock.advance({ by: '1m' })
  expect(await sandbox.client.messages.get(message_id)).toMatchObject({ status: 'failed' })
  await rules.getByText('1 of 1').waitFor()
  await rules.getByRole('button', { name: 'Remove rule 1' }).click()
  await confirm(page, 'Remove')
  await rules.getByText('No rules yet.').waitFor()

  const faults = page.getByRole('region', { name: 'Faults', exact: true })
  await faults.getByRole('button', { name: 'Add fault' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add fault' }).click()
  await expect.poll(async () => (await sandbox.client.faults.list()).faults.length).toBe(1)
  await expect(sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Hi' } })).rejects.toMatchObject({
    status: 503,
  })
  await faults.getByText('used up').waitFor()
  // Where something met the fault, its id leads to its row.
  await inspector.to('requests')
  await page.getByRole('link', { name: /^flt_/ }).click()
  await faults.locator('[aria-current=true]').getByText('used up').waitFor()
  await faults.getByRole('button', { name: 'Clear all' }).click()
  await confirm(page, 'Remove')
  await faults.getByText('No faults yet.').waitFor()
  await inspector.to(`messages/${message_id}`)
  await page.getByText(/Cause: rule rule_\S+: outcome failed/).waitFor()
})

story('custom settings of phones and mailboxes are edited in their tables', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.handsets.set(PHONE, { replies: 'Hello' })
  await sandbox.client.mailboxes.set(MAIL, { opens: true })
  await using inspector = await look(sandbox)
  await inspector.to('handsets')
  const { page } = inspector
  await page
    .getByRole('row', { name: new RegExp(`^.?${PHONE.slice(1)}`) })
    .getByRole('button', { name: 'Power' })
    .click()
  await expect.poll(() => sandbox.client.handsets.show(PHONE)).toMatchObject({ on: false })
  await page.getByLabel(`Automatic reply of ${PHONE}`).fill('STOP')
  await page.keyboard.press('Tab')
  await expect.poll(() => sandbox.client.handsets.show(PHONE)).toMatchObject({ replies: 'STOP' })
  await page.getByRole('button', { name: `Reset ${PHONE}` }).click()
  await page.getByText('All phones have the default settings.').waitFor()
  await inspector.to('mailboxes')
  await page
    .getByRole('row', { name: new RegExp(`^${MAIL}`) })
    .getByRole('button', { name: 'Clicks' })
    .click()
  await expect.poll(() => sandbox.client.mailboxes.show(MAIL)).toMatchObject({ opens: true, clicks: true })
  await page.getByRole('button', { name: `Reset ${MAIL}` }).click()
  await page.getByText('All mailboxes have the default settings.').waitFor()
})

story('a world is saved, forked, visited, restored and reset', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Before' } })
  await using inspector = await look(sandbox)
  await inspector.to('worlds')
  const { page } = inspector
  const snapshots = page.getByRole('region', { name: 'Snapshots' })
  await page.getByLabel(/^New snapshot of/).fill('one')
  await snapshots.getByRole('button', { name: 'Save' }).click()
  await snapshots.getByRole('button', { name: 'Fork one' }).click()
  await page.getByLabel('namespace *').fill('copy')
  await page.getByRole('dialog').getByRole('button', { name: 'Fork', exact: true }).click()
  await page.getByRole('region', { name: 'Namespaces' }).getByRole('link', { name: 'copy' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Before' }).waitFor()
  await expect.poll(() => page.url()).toContain('#/copy/messages')
  await inspector.to('worlds')
  await page.getByRole('button', { name: `Reset ${sandbox.apiKey.replace('sk_sandbox_', '')}` }).click()
  await page.getByText('Everything will be deleted, the endpoints of webhooks too').waitFor()
  await confirm(page, 'Reset without snapshot')
  await expect.poll(async () => (await sandbox.client.messages.list()).messages.length).toBe(0)
  await page.getByRole('button', { name: 'Restore here: one' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  await page.getByLabel('Name of the snapshot to save first').selectText()
  await page.keyboard.type('kept')
  await confirm(page, 'Save snapshot, then restore')
  await expect.poll(async () => (await sandbox.client.messages.list()).messages.length).toBe(1)
  expect((await sandbox.client.snapshots.list()).snapshots.map(({ name }) => name)).toContain('kept')
  await page.getByRole('button', { name: 'Delete copy' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete copy' }).click()
  await confirm(page, 'Delete without snapshot')
  await page.getByRole('button', { name: 'Delete copy' }).waitFor({ state: 'detached' })
})

story('a reset of a part says what it resets and what stays', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Before' } })
  await sandbox.client.clock.advance({ by: '1m' })
  const { transactions } = sandbox.client.billing
  const before = (await transactions()).data.map(({ id }) => id)
  await using inspector = await look(sandbox)
  await inspector.to('worlds')
  const { page } = inspector
  await page.getByLabel('Scope of a reset').selectOption('balance')
  await page.getByRole('button', { name: `Reset ${sandbox.apiKey.replace('sk_sandbox_', '')}` }).click()
  await page.getByRole('dialog').getByText('Holds, earlier movements and invoices stay.').waitFor()
  await confirm(page, 'Reset without snapshot')
  await expect.poll(async () => (await transactions()).data[0]!.type).toBe('adjustment')
  expect((await transactions()).data.map(({ id }) => id)).toEqual(expect.arrayContaining(before))
})

story('a damaged snapshot is listed, and can be deleted', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await sandbox.client.snapshots.save({ name: 'whole' })
  await writeFile(join(data, 'snapshots', 'broken.db'), 'no database')
  await using inspector = await look(sandbox)
  await inspector.to('worlds')
  const { page } = inspector
  await page.getByText('The file of the snapshot broken is damaged').waitFor()
  await page.getByRole('button', { name: 'Delete broken' }).click()
  await confirm(page, 'Delete')
  await page.getByText('The file of the snapshot broken is damaged').waitFor({ state: 'detached' })
  expect(await sandbox.client.snapshots.list()).toMatchObject({ snapshots: [{ name: 'whole' }], damaged: [] })
})

story('a campaign is defined from the examples in its form', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('campaigns')
  const { page } = inspector
  await page.getByRole('button', { name: 'Define campaign' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('name *').fill('From the example')
  await dialog.getByLabel('trigger *').selectOption('API')
  for (const name of ['audience', 'flow'])
    await dialog.getByRole('button', { name: `Use the example of ${name}` }).click()
  await dialog.getByRole('button', { name: 'Define campaign' }).click()
  await page.getByRole('heading', { name: 'From the example' }).waitFor()
  await page.getByRole('button', { name: 'Edit definition' }).click()
  const flow = dialog.getByLabel('flow *')
  const [send, ...rest] = JSON.parse(await flow.inputValue()) as { id: string }[]
  await flow.fill('[')
  await dialog.getByTitle('Correct the marked fields.').waitFor()
  await flow.fill(JSON.stringify([send, { ...send, id: 'again' }, ...rest]))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('"id": "again"').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('.page-head .status').getByText('RUNNING').waitFor()
  await sandbox.client.clock.advance({ by: '1m' })
  const contacts = page.getByRole('region', { name: 'Contacts', exact: true })
  const sent = contacts.getByRole('row').nth(1).getByRole('link', { name: /^msg_/ })
  const [left, right] = [await sent.nth(0).boundingBox(), await sent.nth(1).boundingBox()]
  expect(right!.x).toBeGreaterThan(left!.x + left!.width)
})

story('the counts of a running campaign are updated', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to(`campaigns/${U(101)}`)
  const { page } = inspector
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('.page-head .status').getByText('RUNNING').waitFor()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.locator('.page-head .status').getByText('PAUSED').waitFor()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.locator('.page-head .status').getByText('RUNNING').waitFor()
  await sandbox.client.clock.advance({ by: '5m' })
  const progress = page.getByRole('region', { name: 'Progress' })
  await expect.poll(() => progress.locator('.tiles').textContent()).toMatch(/20\s*total[\s\S]*20\s*completed/)
  await page.getByRole('region', { name: 'Definition' }).getByText('"status": "COMPLETED"').waitFor()
})

story('a campaign page counts the reasons why contacts are ineligible, and names them for each contact', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.campaigns.trigger(U(103))
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  await inspector.to(`campaigns/${U(103)}`)
  const { page } = inspector
  const reasons = page.getByRole('region', { name: 'Why contacts are ineligible or failed', exact: true })
  for (const reason of ['consent_revoked', 'device_not_rcs_capable', 'recipient_suppressed'])
    await reasons.getByRole('row', { name: new RegExp(`^1 ineligible ${reason} \\w`) }).waitFor()
  const blocked = page.getByRole('region', { name: 'Contacts', exact: true }).getByRole('row', { name: phones.blocked })
  await blocked.getByText('recipient_suppressed').waitFor()
  await blocked.getByRole('link', { name: phones.blocked }).click()
  await page.locator('.page-head .status').getByText('BLOCKED').waitFor()
})

story('an agent is suspended on one carrier and reinstated', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to(`agents/${AGENT}`)
  const { page } = inspector
  await page
    .getByRole('row', { name: /nordfunk/ })
    .getByRole('combobox')
    .selectOption('SUSPENDED')
  const launch = async () =>
    (await sandbox.client.agents.launch(AGENT)).carriers.find(({ carrier }) => carrier === 'nordfunk')
  await expect.poll(launch).toMatchObject({ status: 'SUSPENDED' })
  await page.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect.poll(async () => (await sandbox.client.agents.get(AGENT)).status).toBe('SUSPENDED')
  await page.getByRole('button', { name: 'Reinstate' }).click()
  await expect.poll(async () => (await sandbox.client.agents.get(AGENT)).status).toBe('APPROVED')
})

story('revoking and granting consent appears in the history of the contact', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.consent.record(`c_${U(50)}`, {
    ...{ channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED' },
    ...{ source: 'checkout', proof_text: 'The box was ticked.' },
  })
  await using inspector = await look(sandbox)
  await inspector.to(`contacts/c_${U(50)}`)
  const { page } = inspector
  const consent = page.getByRole('region', { name: 'Consent', exact: true })
  await consent
    .getByRole('row', { name: /NEWSLETTER/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await confirm(page, 'Revoke')
  await consent.getByText('REVOKED', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'History' }).getByText('consent.updated').first().waitFor()
  await consent
    .getByRole('row', { name: /NEWSLETTER/ })
    .getByRole('button', { name: 'Grant RCS NEWSLETTER' })
    .click()
  await consent.getByText('REVOKED', { exact: true }).waitFor({ state: 'detached' })
  await consent.getByText('The box was ticked.').waitFor()
  await page.getByRole('region', { name: 'History' }).getByRole('link', { name: 'consent.updated' }).first().click()
  await page.getByText('No endpoint was subscribed to this event.').waitFor()
})

story('an endpoint is registered and tested, and every attempt shows its answer', async () => {
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? { status: 500, body: 'out of order' } : 200))
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('webhooks')
  const { page } = inspector
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByLabel('url *').fill(receiver.url)
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: receiver.url }).waitFor()
  await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Hi' } })
  await receiver.until(1)
  await page.getByRole('link', { name: 'message.queued' }).first().click()
  await page.locator('summary').first().click()
  await page.getByText('out of order').first().waitFor()
  await page.getByText('X-Service-Signature is the HMAC-SHA256 of these bytes').waitFor()
  await sandbox.client.clock.advance({ by: '1m' })
  await page.getByRole('region', { name: 'Delivery', exact: true }).getByText('delivered').first().waitFor()
  await page.getByText(/✓ 2 attempts had this signature.*: 1, 2\./).waitFor()
  await page.getByRole('button', { name: /^Test / }).click()
  await expect.poll(() => receiver.received.some(({ event }) => event.event === 'webhook.test')).toBe(true)
  const detail = page.getByRole('heading', { name: 'Delivery', exact: true })
  for (const width of [1280, 900]) {
    await page.setViewportSize({ width, height: 300 })
    await page.getByRole('link', { name: '✕ Close' }).click()
    await page.getByRole('row').getByRole('link', { name: 'message.queued' }).click()
    const yOf = async () => (await detail.boundingBox())?.y
    await expect.poll(yOf).toBeGreaterThan(0)
    await expect.poll(yOf).toBeLessThan(300)
  }
  await page.setViewportSize({ width: 1280, height: 860 })
  receiver.answer(() => 500)
  await page.getByRole('button', { name: /^Test / }).click()
  await page.locator('.foot .bad').getByText('✕ Not delivered: The receiver answered 500.').waitFor()
})

story('of many endpoints the newest are shown, and every delivery names its own', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.webhooks.create({ url: 'http://localhost:9/oldest', events: ['message.queued'] })
  const add = (n: number) =>
    sandbox.client.webhooks.create({ url: `http://localhost:9/${n}`, events: ['message.read'] })
  await Promise.all(Array.from({ length: 200 }, (_, n) => add(n)))
  await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Hi' } })
  await using inspector = await look(sandbox)
  await inspector.to('webhooks')
  const { page } = inspector
  await page.getByText('20 of 201 endpoints').waitFor()
  await page
    .getByRole('region', { name: 'Deliveries', exact: true })
    .getByText('/oldest at localhost:9')
    .last()
    .waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('40 of 201 endpoints').waitFor()
})

story('a recorded request shows its body and its answer', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: '12', content: { text: 'To nobody' } }).catch(() => undefined)
  await using inspector = await look(sandbox)
  await inspector.to('requests?status=4xx')
  const { page } = inspector
  await page.getByRole('link', { name: '/v1/messages' }).click()
  await page.getByText('"To nobody"').first().waitFor()
  await page.getByText('validation_error').first().waitFor()
  await page.getByRole('link', { name: '← Requests' }).click()
  await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('4xx')
})

story('the ledger lists every movement, and a top-up appears at once', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('billing')
  const { page } = inspector
  await page.getByLabel('Amount in euros').fill('25')
  await page.getByRole('button', { name: 'Top up' }).click()
  await page.getByText('€ 1,025').first().waitFor()
  expect(await sandbox.client.billing.balance()).toMatchObject({ total: 1025 })
  await page.getByRole('button', { name: 'Set balance' }).click()
  await page.getByRole('dialog').getByLabel('free *').fill('0.02')
  await page.getByRole('dialog').getByRole('button', { name: 'Set balance' }).click()
  await page.getByRole('row', { name: /adjustment −€ 1,024\.9800/ }).waitFor()
})

story('the PDF of an invoice is saved, or the page says why not', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.clock.advance({ by: '31d' })
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  await inspector.to('billing')
  const button = page.getByRole('button', { name: /^Download .* as PDF$/ })
  const saved = page.waitForEvent('download')
  await button.click()
  expect((await saved).suggestedFilename()).toMatch(/\.pdf$/)
  await page.route('**/pdf', (route) => route.continue({ url: route.request().url().replace('/pdf', 'x/pdf') }))
  await button.click()
  await page.getByRole('alert').filter({ hasText: 'invoice' }).waitFor()
  await page.unroute('**/pdf')
})

story('the open holds are listed with their messages and campaigns until they are settled', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const say = async (to: string) => (await client.messages.send({ ...RCS, to, content: { text: 'Hi' } })).message_id
  const waiting = await say(phones.after1Hour)
  await client.campaigns.trigger(U(101))
  await client.clock.advance({ by: '200ms' })
  await using inspector = await look(sandbox)
  await inspector.to('billing')
  const { page } = inspector
  const holds = page.getByRole('region', { name: 'Open holds, newest first', exact: true })
  const rows = holds.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(21)
  await expect.poll(() => rows.last().textContent()).toMatch(/€\s0.05.*(queued|dispatched).*\+491713920022–$/)
  await rows.first().getByRole('link', { name: '00000000…0101' }).waitFor()
  for (let i = 0; i < 5; i++) await say(phones.readsAll)
  await holds.getByText('Older messages hold € 0.0500 more.').waitFor()
  await client.clock.advance({ by: '1m' })
  await expect.poll(() => rows.count()).toBe(1)
  await rows.locator('a').first().click()
  await page.getByText(waiting).first().waitFor()
  await client.clock.advance({ by: '2h' })
  await inspector.to('billing')
  await holds.getByText('No open holds.').waitFor()
})

story('an opened sandbox asks for its control token once', async () => {
  const emulator = await reachableEmulator({ controlToken: 'ct_of-this-test' })
  const url = `http://127.0.0.1:${emulator.port}`
  await using inspector = await look({ url, apiKey: 'sk_sandbox_default' }, { mayBeRefused: true })
  const { page } = inspector
  await page.goto(url)
  await page.getByRole('banner').getByText('Control token required').waitFor()
  await page.getByLabel('Control token').fill('ct_wrong')
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByText('The sandbox refused this token.').waitFor()
  await page.getByLabel('Control token').fill('ct_of-this-test')
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByText('No messages yet.').waitFor()
  await page.goto(`${url}/#/default/time`)
  await page.getByText('Next scheduled work', { exact: true }).waitFor()
  expect(page.url()).not.toContain('ct_of')
  const copied = async (path: string) => {
    await page.goto(`${url}/#/default/requests?api=all`)
    await page.getByRole('link', { name: path, exact: true }).click()
    return page.getByRole('button', { name: 'Copy as curl' }).getAttribute('title')
  }
  const headers = { 'X-Sandbox-Token': 'ct_of-this-test', Authorization: 'Bearer sk_sandbox_default' }
  for (const path of ['/_sandbox/clock', '/v1/billing/tier']) await fetch(url + path, { headers })
  expect(await copied('/_sandbox/clock')).toContain(' -H "X-Sandbox-Token: $SANDBOX_CONTROL_TOKEN"')
  expect(await copied('/v1/billing/tier')).not.toContain('Token')
})

story('with the token of a namespace, the inspector of a shared sandbox shows that namespace only', async () => {
  const { url, create } = await shared()
  const [team] = [await create('team-a'), await create('team-b')]
  await team.ask('POST', '/v1/messages', { ...rcsText, to: phones.readsAll })
  await using inspector = await look({ url, apiKey: team.api_key }, { mayBeRefused: true })
  const { page } = inspector
  await page.goto(url)
  const field = page.getByLabel('Control token')
  // A key opens /v1 only. It is not sent as a token.
  const requests: string[] = []
  page.on('request', (request) => requests.push(JSON.stringify(request.headers())))
  await field.fill(team.api_key)
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByText('The control token of team-a starts with ct_team-a_').waitFor()
  expect(requests.filter((headers) => headers.includes(team.api_key))).toEqual([])
  await field.fill(team.control_token)
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByText(phones.readsAll).first().waitFor()
  await expect.poll(() => page.url()).toContain('#/team-a/')
  expect(await page.content()).not.toContain('team-b')
  await page.goto(`${url}/#/team-a/worlds`)
  await page.getByText('1 key, 1 token').waitFor()
  expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0)
  // A request to another namespace would be refused, so it is reported once and not tried again.
  await page.goto(`${url}/#/team-b/messages`)
  await page.getByText('Your control token opens the namespace').waitFor()
  await page.getByRole('link', { name: 'team-a' }).click()
  await page.getByText(phones.readsAll).first().waitFor()
  await page.goto(`${url}/#/team-a/compose`)
  await page.getByRole('button', { name: 'curl' }).click()
  await expect.poll(() => page.getByLabel('Request as curl').textContent()).toContain('Bearer $SANDBOX_API_KEY')
})

story('the ends of the chart of the balance are movements, as its steps are', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.clock.advance({ by: '300d' })
  await sandbox.client.messages.send({ ...RCS, to: phones.ordinary, content: { text: 'Hi' } })
  const { total } = await sandbox.client.billing.history()
  await using inspector = await look(sandbox)
  await inspector.to('billing')
  const caption = inspector.page.locator('.chart figcaption')
  await caption.getByText(/^Movement 1, 2026-01-01 00:00:00 · /).waitFor()
  await caption.getByText(new RegExp(`^Movement ${total}, 2026-10-28 `)).waitFor()
})

story('a refused send is found by its recipient', async () => {
  await using sandbox = await createSandbox()
  const to = '+491713920043'
  const { id } = await sandbox.client.contacts.create({ phone: to, external_id: 'fritz' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to(`handsets/${to}`)
  await page.getByText('No messages on this phone yet.').first().waitFor()
  const send = () => sandbox.client.messages.send({ ...RCS, to, content: { text: 'Hi' } })
  for (let i = 0; i < 2; i++) await expect(send()).rejects.toThrow('missing_consent')
  await page.getByText('No messages on this phone yet. 2 sends refused.').first().waitFor()
  const list = page.getByRole('region', { name: 'Table: Refused sends' })
  await list.getByText('no consent').first().waitFor()
  await list.getByRole('link', { name: '422 missing_consent' }).first().click()
  await page.getByRole('heading', { name: 'POST /v1/messages' }).waitFor()
  await inspector.to(`contacts/${id}`)
  await list.getByRole('link', { name: '422 missing_consent' }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('3920043')
  await page.getByRole('option', { name: `Refused sends to ${to}` }).click()
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  expect(await page.getByLabel('Recipient').inputValue()).toBe(to)
  await expect.poll(() => page.getByRole('row').filter({ hasText: to }).count()).toBe(2)
})

story('a campaign shows its messages by status, also those that failed after the campaign had completed', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ match: {}, behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' } })
  await sandbox.client.campaigns.trigger('00000000-0000-4000-8000-000000000101')
  await sandbox.client.clock.advance({ by: '1h' })
  await using inspector = await look(sandbox)
  await inspector.to('campaigns/00000000-0000-4000-8000-000000000101')
  await inspector.page.getByRole('link', { name: '20 failed' }).click()
  await inspector.page.getByText('20 messages').waitFor()
})

story('an unknown campaign, agent or event is reported once', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  for (const [page, id] of [
    ['campaigns', 'nope'],
    ['agents', 'ag_nope'],
    ['events', 'evt_nope'],
  ]) {
    await inspector.to(`${page}/${id}`)
    await inspector.page.getByRole('alert').filter({ hasText: id! }).waitFor()
    expect(await inspector.page.getByRole('alert').count()).toBe(1)
    expect(await inspector.page.getByRole('region').count()).toBe(0)
    expect(await inspector.page.getByRole('main').getByRole('button').count()).toBe(0)
  }
})

story('a refusal describes its field, not as a part of the name', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  await inspector.to('compose')
  const { page } = inspector
  const to = page.getByLabel('To', { exact: true })
  await to.fill('0171 392')
  await to.and(page.locator('[aria-invalid=true]')).waitFor()
  const described = await to.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(/international format/)
})
