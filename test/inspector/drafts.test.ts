import { expect } from 'vitest'
import { AGENT, PHONE } from '../../scripts/screenshots/shop-day.ts'
import { phones } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { look, story } from './browser.ts'

const RCS = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const

story('loading external media and visiting other pages lose nothing that was typed', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...RCS, to: PHONE, content: { text: 'Hi' } })
  await sandbox.client.clock.advance({ by: '1m' })
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('compose')
  await page.getByLabel('To', { exact: true }).fill('+491713920000')
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await page.getByLabel('Subject').fill('My own subject')
  await page.getByRole('link', { name: 'Load external media' }).click()
  await page.getByRole('link', { name: 'Stop loading external media' }).waitFor()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('My own subject')
  await page.getByRole('group', { name: 'Content' }).getByRole('button', { name: 'Text', exact: true }).click()
  await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('+491713920000')
  await page.getByRole('button', { name: 'Clear form' }).click()
  await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe(PHONE)

  await inspector.to(`handsets/${PHONE}`)
  await page.getByLabel('Reply as the user').first().fill('Not sent yet')
  await inspector.to('api/clock.advance')
  await page.getByLabel('by', { exact: true }).fill('3h')
  await inspector.to(`handsets/${PHONE}`)
  await page.getByLabel('Reply as the user').first().waitFor()
  await expect.poll(() => page.getByLabel('Reply as the user').first().inputValue()).toBe('Not sent yet')
  await inspector.to('api/clock.advance')
  await expect.poll(() => page.getByLabel('by', { exact: true }).inputValue()).toBe('3h')
})

story('a sent message is linked and no draft any more, and its recipient and sender are kept', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('compose')
  await page.getByRole('option', { name: 'Sandbox Orders' }).waitFor({ state: 'attached' })
  expect(await page.getByRole('button', { name: 'Clear form' }).count()).toBe(0)
  const [to, text] = [page.getByLabel('To', { exact: true }), page.getByLabel('Text', { exact: true })]
  await to.fill(phones.readsAll)
  await page.getByLabel('Agent').selectOption('Sandbox Orders')
  await text.fill('Sent once')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = page.getByRole('main').getByRole('status').filter({ hasText: 'Sent as' })
  await sent.waitFor()
  const { messages } = await sandbox.client.messages.list()
  await sent.locator(`a[title=${messages[0]!.id}]`).waitFor()
  // The next recipient is not that of the sent message.
  await to.fill(PHONE)
  await sent.getByRole('link', { name: phones.readsAll }).waitFor()
  await to.fill(phones.readsAll)
  await expect.poll(() => text.inputValue()).toBe('Sent once')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(async () => (await sandbox.client.messages.list()).messages.length).toBe(2)
  for (const returnToPage of [() => page.reload(), () => inspector.to('time').then(() => inspector.to('compose'))]) {
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('draft compose'))).not.toContain('Sent once')
    await returnToPage()
    await expect.poll(() => text.inputValue()).toBe('Your parcel arrives today.')
    await expect.poll(() => to.inputValue()).toBe(phones.readsAll)
    await expect.poll(() => page.getByLabel('Agent').locator('option:checked').textContent()).toBe('Sandbox Orders')
    await text.fill('Sent next')
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('draft compose'))).toContain('Sent next')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await sent.waitFor()
  }
})

story('a refused field is marked until the form is cleared or another content is chosen', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  await inspector.to('compose')
  const mark = page.getByRole('main').getByText('must be a phone number in international format')
  for (const button of ['Clear form', 'Email']) {
    await page.getByLabel('To', { exact: true }).fill('nonsense')
    await mark.waitFor()
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/v1/messages') && answer.status() === 400)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await refused
    await page.getByRole('button', { name: button, exact: true }).click()
    await mark.waitFor({ state: 'detached' })
  }
})

story('a closed dialog keeps what was typed until it is sent or cancelled', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  await inspector.to('network')
  const { page } = inspector
  const dialog = page.getByRole('dialog')
  const open = () => page.getByRole('button', { name: 'Add fault' }).click()
  await open()
  await dialog.getByText(/^More fields/).click()
  await dialog.getByLabel('after', { exact: true }).fill('2')
  // Selecting text with the mouse may end outside.
  const text = (await dialog.getByLabel('after', { exact: true }).boundingBox())!
  await page.mouse.move(text.x + 5, text.y + 5)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  expect(await dialog.count()).toBe(1)
  await page.mouse.click(5, 5)
  await dialog.waitFor({ state: 'detached' })
  await open()
  await expect.poll(() => dialog.getByLabel('after', { exact: true }).inputValue()).toBe('2')
  await dialog.getByRole('button', { name: 'Add fault' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await sandbox.client.faults.list()).faults).toMatchObject([{ after: 2, status: 503 }])
  await open()
  await expect.poll(() => dialog.getByLabel('after', { exact: true }).inputValue()).toBe('')
  await dialog.getByLabel('to', { exact: true }).fill('+49')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open()
  await expect.poll(() => dialog.getByLabel('to', { exact: true }).inputValue()).toBe('')
})
