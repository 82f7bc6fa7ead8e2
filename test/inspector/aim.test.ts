import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { blankPage, look, story } from './browser.ts'

for (const [place, name] of [
  ['handsets', /^\+49/],
  ['messages', /Text/],
] as const)
  story(`a row of ${place} stays under the mouse that aims at it, and moves when the mouse is elsewhere`, async () => {
    await using sandbox = await createSandbox()
    const say = (to: string) => sandbox.client.messages.send({ ...rcsText, to, content: { text: `Text to ${to}` } })
    const numbers = [phones.readsAll, phones.neverReads, phones.ordinary]
    for (const to of numbers) await say(to)
    await using inspector = await look(sandbox)
    const { page } = inspector
    await inspector.to(place)
    const box = page.getByLabel(place === 'handsets' ? 'Table: Recipients' : 'Messages, newest first')
    const rows = box.getByRole('link', { name })
    await expect.poll(() => rows.count()).toBe(3)
    const aimedAt = async () => /\+\d{12}/.exec((await rows.nth(1).textContent())!)?.[0]
    const seen = await aimedAt()
    expect(seen).toBe(numbers[1])
    const below = (await rows.nth(1).boundingBox())!
    await page.mouse.move(below.x + 40, below.y + 10)
    await page.mouse.move(below.x + 42, below.y + 12)
    await say(numbers[0]!)
    await page
      .getByRole('button', { name: '↑ 1 new' })
      .or(box.getByText('2', { exact: true }))
      .waitFor()
    expect(await aimedAt()).toBe(seen)
    await page.mouse.move(2, 2)
    await expect.poll(() => rows.first().textContent()).toContain(numbers[0])
    expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0)
  })

story('a row stays under the finger that has touched it', async () => {
  await using sandbox = await createSandbox()
  const say = (text: string) => sandbox.client.messages.send({ ...rcsText, to: phones.readsAll, content: { text } })
  for (const text of ['First', 'Second']) await say(text)
  await using blank = await blankPage({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const { page } = blank
  await page.goto(`${sandbox.url}/#/${sandbox.apiKey.replace('sk_sandbox_', '')}/messages`)
  const rows = page.getByRole('listitem')
  await rows.nth(1).getByText('First').waitFor()
  const { x, y } = (await rows.nth(1).boundingBox())!
  const finger = await page.context().newCDPSession(page)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 40, y: y + 10 }] })
  await say('Third')
  await page.getByRole('button', { name: '↑ 1 new' }).waitFor()
  expect(await rows.nth(1).textContent()).toContain('First')
  await finger.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] })
  await page.getByRole('heading', { name: 'Messages' }).tap()
  await rows.first().getByText('Third').waitFor()
})

story('a phone on its side has room for fingers, and shows why a button is impossible', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.clock.advance({ by: '1h' })
  await using blank = await blankPage({ hasTouch: true, isMobile: true, viewport: { width: 844, height: 390 } })
  const { page } = blank
  const at = `${sandbox.url}/#/${sandbox.apiKey.replace('sk_sandbox_', '')}`
  const heightOf = async (one: Locator) => (await one.boundingBox())!.height
  await page.goto(`${at}/messages/${message_id}`)
  await page.getByRole('button', { name: 'Revoke' }).tap({ force: true })
  await page.getByText('✕ The message is read. Only a queued message can be revoked.').waitFor()
  expect(await heightOf(page.getByRole('link', { name: '← Messages' }))).toBeGreaterThanOrEqual(24)
  await page.goto(`${at}/messages`)
  await page.getByRole('region', { name: 'Messages, newest first' }).getByRole('listitem').waitFor()
  expect(await page.getByText('Focus a button to see its command.').isVisible()).toBe(false)
  expect(await page.getByLabel('Search').evaluate((field) => getComputedStyle(field).fontSize)).toBe('16px')
})
