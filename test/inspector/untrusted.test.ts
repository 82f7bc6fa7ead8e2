import { expect } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { look, story } from './browser.ts'

/** Others write the content of messages. The page shows it and executes nothing in it. */

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
const MAIL = 'ada@example.com'

const TRICKS = [
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title = \'owned\'">',
  '<svg onload="document.title = \'owned\'"><script>document.title="owned"</script></svg>',
  '<a href="javascript:document.title=\'owned\'">tap me</a>',
  '<style>* { display: none }</style>',
  '{{constructor.constructor("document.title=1")()}}',
  '\u202Egnp.exe\u2066 is a picture\u2069\u202C',
]

async function mail(sandbox: Sandbox, html: string) {
  const channel_id = 'ch_00000000-0000-4000-8000-000000000001'
  const { message_id } = await sandbox.client.messages.send({
    channel_id,
    to: MAIL,
    subject: TRICKS[0]!,
    content: { html },
  })
  await sandbox.client.clock.advance({ by: '1m' })
  return message_id
}

story('markup in an RCS message is shown as text on every page', async () => {
  await using sandbox = await createSandbox()
  const ids: string[] = []
  for (const text of TRICKS) {
    const suggestions = [{ reply: { text: text.slice(0, 25), postback_data: 'YQ==' } }]
    const { message_id } = await sandbox.client.messages.send({
      ...RCS,
      to: '+491713920000',
      content: { text, suggestions },
    })
    ids.push(message_id)
  }
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  for (const place of ['messages', 'handsets/+491713920000', ...ids.map((id) => `messages/${id}`)]) {
    await inspector.to(place)
    await page
      .locator('main')
      .getByText(place.includes('msg_') ? 'Trigger an event' : 'tap me')
      .first()
      .waitFor()
    expect(await page.title()).not.toContain('owned')
    expect(await page.locator('main script, main style, main svg:not(figure svg), main img').count()).toBe(0)
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  }
})

story('text with direction marks does not affect its surroundings', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: '+491713920000', content: { text: '\u202E turned' } })
  await using inspector = await look(sandbox)
  await inspector.to('messages')
  const cell = inspector.page.locator('.list bdi', { hasText: 'turned' })
  await cell.waitFor()
  await expect.poll(() => cell.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
})

story('right-to-left text begins at the right on a phone, and is cut at its end in the list', async () => {
  await using sandbox = await createSandbox()
  const text = `\u05E9\u05DC\u05D5\u05DD ${'\u05E2\u05D5\u05DC\u05DD '.repeat(60)}`
  const { message_id } = await sandbox.client.messages.send({ ...RCS, to: '+491713920000', content: { text } })
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('messages')
  await expect.poll(() => page.locator('.list .says > bdi').evaluate(gapBeforeFirstLetter)).toBe(0)
  await inspector.to(`messages/${message_id}`)
  await expect.poll(() => page.locator('figure .bubble > bdi').first().evaluate(gapBeforeFirstLetter)).toBe(0)
})

/** The pixels between the first letter of a right-to-left text and the right edge of its box. */
function gapBeforeFirstLetter(box: Element): number {
  const letter = document.createRange()
  letter.setStart(box.firstChild!, 0)
  letter.setEnd(box.firstChild!, 1)
  return Math.round(box.getBoundingClientRect().right - letter.getBoundingClientRect().right)
}

story('an email runs no script, loads nothing and navigates nowhere', async () => {
  await using sandbox = await createSandbox()
  await mail(
    sandbox,
    `<html><head><meta http-equiv="refresh" content="0;url=https://evil.example/refresh"><base href="https://evil.example/">
     <link rel="stylesheet" href="https://evil.example/style.css"><style>p { color: rgb(1, 2, 3) }</style></head>
     <body onload="parent.document.title='owned'">${TRICKS.join('')}<p>Written by hand</p>
     <img src="https://evil.example/pixel.png" srcset="https://evil.example/2x.png 2x"><iframe src="https://evil.example/frame"></iframe>
     <form action="https://evil.example/form"><button>Send</button></form>
     <a href="https://example.com/out" target="_top" ping="https://evil.example/ping">Out</a>
     <svg><a xlink:href="https://evil.example/svg"><text>svg</text></a></svg>
     <video poster="https://evil.example/poster.png"></video><i>The end</i></body></html>`,
  )
  await using inspector = await look(sandbox, { mayBeBlocked: true })
  await inspector.to(`mailboxes/${MAIL}`)
  const { page } = inspector
  const letter = page.frameLocator('iframe.mail.light').frameLocator('iframe')
  // The style of an email affects only the email, even a style that hides everything.
  await letter.getByText('The end').waitFor({ state: 'attached' })
  await expect
    .poll(() => letter.locator('p').evaluate((element) => getComputedStyle(element).color))
    .toBe('rgb(1, 2, 3)')
  expect(await letter.locator('script, iframe, base, link, meta:not([name=referrer])').count()).toBe(0)
  expect(await letter.locator('[href], [onload], [onerror], [src]:not([src^="data:"])').count()).toBe(0)
  expect(await page.title()).not.toContain('owned')
  await page.getByRole('button', { name: 'narrow' }).waitFor()
})

story('a click on a link of an email goes through the mailbox, and opens nothing', async () => {
  await using sandbox = await createSandbox()
  const id = await mail(
    sandbox,
    '<p><a href="https://example.com/a">first</a> <a href="https://example.com/b">second</a></p>',
  )
  await using inspector = await look(sandbox)
  await inspector.to(`mailboxes/${MAIL}`)
  const { page } = inspector
  await page.getByText('https://example.com/b').waitFor()
  await page.frameLocator('iframe.mail.light').frameLocator('iframe').getByText('second').click()
  await page.getByText(`sandbox mailboxes click ${MAIL} 1 --message ${id}`).waitFor()
  await expect.poll(async () => (await sandbox.client.messages.get(id)).status).toBe('clicked')
  const { events } = await sandbox.client.events.list({ event: 'email.clicked' })
  expect(events).toMatchObject([{ data: { url: 'https://example.com/b' } }])
  expect(page.context().pages()).toHaveLength(1)
})

story('buttons open, bounce and complain about an email if its status allows it', async () => {
  await using sandbox = await createSandbox()
  const id = await mail(sandbox, '<p>Hello</p>')
  await using inspector = await look(sandbox)
  await inspector.to(`mailboxes/${MAIL}`)
  const { page } = inspector
  await page.getByRole('link', { name: /^c_/ }).waitFor()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect.poll(async () => (await sandbox.client.messages.get(id)).status).toBe('opened')
  // A newer email does not replace the one that somebody uses.
  await mail(sandbox, '<p>Later</p>')
  await page.getByText('2 emails', { exact: true }).waitFor()
  const bounce = page.getByRole('button', { name: 'Bounce (hard)' })
  await expect
    .poll(() => bounce.getAttribute('title'))
    .toBe('The message is opened. The event needs status queued or dispatched.')
  await page.getByRole('button', { name: 'Complain', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Complain', exact: true }).click()
  const complaints = async () => (await sandbox.client.events.list({ event: 'email.complained' })).events
  await expect.poll(complaints).toMatchObject([{ data: { message_id: id } }])
})
