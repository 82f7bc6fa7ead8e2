import { execFileSync } from 'node:child_process'
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

story('a typed secret is hidden, and the command takes it from a variable', async () => {
  await using sandbox = await createSandbox()
  await using inspector = await look(sandbox)
  const { page } = inspector
  await inspector.to('webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('url *').fill("http://localhost:3000/it's")
  const field = dialog.getByLabel('secret', { exact: true })
  await field.fill('whsec_typed-by-the-user')
  const type = () => field.evaluate((input) => (input as unknown as { type: string }).type)
  expect(await type()).toBe('password')
  await dialog.getByRole('button', { name: 'Show' }).click()
  expect(await type()).toBe('text')
  const add = dialog.getByRole('button', { name: 'Add endpoint' })
  const command = (await add.getAttribute('data-command'))!
  expect(await page.content()).not.toContain('whsec_typed')
  const words = command.replace(/^sandbox /, "printf '%s\\n' ")
  const body = execFileSync('sh', ['-c', words], { env: { SECRET: 'from-the-shell' }, encoding: 'utf8' }).split('\n')[4]
  expect(JSON.parse(body!)).toEqual({
    url: "http://localhost:3000/it's",
    events: ['*'],
    secret: 'from-the-shell',
  })
  await add.click()
  await dialog.getByText('whsec_typed-by-the-user').waitFor()
})

story('the API reference has the key of the shown namespace, and keeps an entered one in its tab', async () => {
  await using sandbox = await createSandbox()
  const apiKey = 'sk_sandbox_team-a'
  await using inspector = await look({ url: sandbox.url, apiKey })
  const { page } = inspector
  // The viewer draws the whole document for half a minute on a busy machine.
  const { components } = await (await fetch(`${sandbox.url}/openapi.json`)).json()
  const small = {
    openapi: '3.1.0',
    info: { title: 'Small', version: '1' },
    paths: {},
    components: { securitySchemes: components.securitySchemes },
  }
  await page.route('**/openapi.json', (route) => route.fulfill({ json: small }))
  const dialog = page.locator('.modal-ux')
  const key = () => page.evaluate<string>('ui.authSelectors.authorized().toJS().apiKey?.value')
  await inspector.to('messages')
  await page.goto(`${sandbox.url}${await page.getByRole('link', { name: 'API', exact: true }).getAttribute('href')}`)
  await expect.poll(key).toBe(apiKey)
  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click()
  await dialog.getByRole('button', { name: 'Remove authorization' }).click()
  await dialog.getByLabel('auth-bearer-value').fill('sk_sandbox_entered')
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect.poll(key).toBe('sk_sandbox_entered')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('sk_sandbox_entered')
})
