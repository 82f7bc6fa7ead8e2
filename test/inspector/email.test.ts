import { expect } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { look, story } from './browser.ts'

const MAIL = 'ada@example.com'
const channel_id = 'ch_00000000-0000-4000-8000-000000000001'

const HTML = `<html><head><style>
  body { background: rgb(255, 255, 200) }
  @media (prefers-color-scheme: dark) { body { background: rgb(0, 0, 50) } }
  @media (prefers-color-scheme: light) { h1 { color: rgb(9, 9, 9) } }
</style></head><body><h1>Kettles</h1>
<img src="https://shop.example/hero.png" width="600" height="200" alt="Three kettles">
<img src="https://shop.example/pixel.png" width="1" height="1">
<table><tr>${'<td>A column</td>'.repeat(40)}</tr></table>
<p><a href="https://shop.example/a">first</a> <a href="https://shop.example/b">second</a></p></body></html>`

story('an email is shown in its own light and dark colours, at full width, with placeholders and checks', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ channel_id, to: MAIL, subject: 'Kettles', content: { html: HTML } })
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox, { colorScheme: 'dark' })
  await inspector.to(`mailboxes/${MAIL}`)
  const { page } = inspector
  const mail = (theme: string) => page.frameLocator(`iframe.mail.${theme}`).frameLocator('iframe')
  const styleOf = (theme: string, element: string, name: 'backgroundColor' | 'color') =>
    mail(theme)
      .locator(element)
      .evaluate((one, name) => getComputedStyle(one)[name], name)
  await mail('dark').locator('h1').waitFor()
  await expect.poll(() => styleOf('light', 'body', 'backgroundColor')).toBe('rgb(255, 255, 200)')
  await expect.poll(() => styleOf('dark', 'body', 'backgroundColor')).toBe('rgb(0, 0, 50)')
  await expect.poll(() => styleOf('light', 'h1', 'color')).toBe('rgb(9, 9, 9)')
  await expect.poll(() => styleOf('dark', 'h1', 'color')).not.toBe('rgb(9, 9, 9)')
  // A blocked image keeps its size and shows its alternative text.
  const hero = mail('light').locator('img').first()
  await expect.poll(() => hero.boundingBox()).toMatchObject({ width: 600, height: 200 })
  await expect.poll(async () => decodeURIComponent((await hero.getAttribute('src'))!)).toContain('Three kettles')
  // A wide table scrolls, and its words stay whole.
  const document = mail('light').locator('html')
  await expect.poll(() => document.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
  const cell = mail('light').locator('td').first()
  await expect.poll(async () => (await cell.boundingBox())!.height).toBeLessThan(50)
  const findings = page.locator('.findings')
  await findings.getByText('email/text-part').waitFor()
  await findings.getByText('The image "https://shop.example/pixel.png" has no alternative text').waitFor()
  await page.getByRole('term').filter({ hasText: 'From' }).waitFor()
  await page.getByText('Sandbox mail').waitFor()
})

story('external media of an email learn nothing about the page that shows it', async () => {
  await using sandbox = await createSandbox()
  const url = (name: string) => `${sandbox.url}/inspector/icon.svg?${name}`
  const html = `<style>p { background: url(${url('style')}) }</style>
    <body style="background: url(${url('attribute')})"><p>Hi</p><img src="${url('image')}" alt="Icon"></body>`
  await sandbox.client.messages.send({ channel_id, to: MAIL, subject: 'Kettles', content: { html } })
  await sandbox.client.clock.advance({ by: '1m' })
  // The requests differ by a query, which the sandbox refuses.
  await using inspector = await look(sandbox, { mayBeRefused: true })
  await inspector.to(`mailboxes/${MAIL}`)
  const { page } = inspector
  const referrers: Record<string, unknown> = {}
  page.on('requestfinished', async (request) => {
    const [, name] = request.url().split('icon.svg?')
    if (name) referrers[name] = (await request.allHeaders()).referer ?? 'none'
  })
  await page.getByText('Load external media').click()
  await expect.poll(() => referrers).toEqual({ style: 'none', attribute: 'none', image: 'none' })
})

story('external media are loaded after a click of the reader, not by a link of another site', async () => {
  await using sandbox = await createSandbox()
  const html = `<p>Hi</p><img src="${sandbox.url}/inspector/icon.svg?picture" alt="Icon" width="40" height="40">`
  await sandbox.client.messages.send({ channel_id, to: MAIL, subject: 'Kettles', content: { html } })
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  let loaded = 0
  page.on('request', (request) => {
    if (request.url().endsWith('icon.svg?picture')) loaded++
  })
  await page.goto(`${sandbox.url}/?media=allow#/${sandbox.apiKey.replace('sk_sandbox_', '')}/mailboxes/${MAIL}`)
  const frame = page.frameLocator('iframe').first().frameLocator('iframe')
  await frame.getByText('Hi').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(loaded).toBe(0)
  await page.getByText('Load external media').click()
  await page.getByText('Stop loading external media').waitFor()
  await expect.poll(() => loaded).toBeGreaterThan(0)
  await page.reload()
  await page.getByText('Load external media').waitFor()
})

story('a link of an email is followed by keyboard, in the mailbox and on the page of the message', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({
    channel_id,
    to: MAIL,
    subject: 'Kettles',
    content: { html: HTML },
  })
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  const clicks = async () => {
    const { events } = await sandbox.client.events.list({ event: 'email.clicked' })
    return events.map(({ data }) => (data as { url: string }).url)
  }
  for (const [place, name, times] of [
    [`mailboxes/${MAIL}`, 'first', 1],
    [`messages/${message_id}`, 'second', 2],
  ] as const) {
    await inspector.to(place)
    await page.frameLocator('iframe.mail.light').frameLocator('iframe').getByText(name).press('Enter')
    await expect.poll(async () => (await clicks()).length).toBe(times)
  }
  expect(await clicks()).toEqual(['https://shop.example/a', 'https://shop.example/b'])
})
