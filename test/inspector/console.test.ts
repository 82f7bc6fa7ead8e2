import { expect } from 'vitest'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { look, story } from './browser.ts'

story('the API console asks before an operation that destroys something', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await using inspector = await look(sandbox)
  const { page } = inspector
  const dialog = page.getByRole('dialog')
  const send = page.getByRole('button', { name: 'Send request' })
  const messages = async () => (await sandbox.client.messages.list()).messages.length
  await inspector.to('api/world.reset')
  await send.click()
  await dialog.getByText('Reset the world, or a part of it, to its initial state?').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await messages()).toBe(1)
  await send.click()
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(messages).toBe(0)
  await inspector.to('api/namespaces.delete')
  await page.getByLabel('name *').fill('other')
  await page.keyboard.press('Enter')
  await dialog.getByText('This cannot be undone.').waitFor()
})
