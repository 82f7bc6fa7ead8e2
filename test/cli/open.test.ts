import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { shared } from '../server/tenants/shared.ts'
import { sandboxCommand } from './terminal.ts'

/** A browser that records the addresses it should open. */
async function notingBrowser() {
  const place = await folder()
  const [program, opened] = [join(place, 'browser'), join(place, 'opened')]
  await writeFile(program, `#!/bin/sh\nprintf '%s' "$1" > "${opened}.new" && mv "${opened}.new" "${opened}"\n`)
  await chmod(program, 0o755)
  return { env: { BROWSER: program }, opened: () => readFile(opened, 'utf8').catch(() => undefined) }
}

test('the inspector is opened in the browser of the system', async () => {
  await using sandbox = await createSandbox()
  const { env, opened } = await notingBrowser()
  const url = `${sandbox.url}/#/default/messages`
  const options = { env: { ...env, SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: 'sk_sandbox_default' } }
  expect(await sandboxCommand(['open'], options)).toMatchObject({ code: 0, json: { url } })
  await expect.poll(opened).toBe(url)
})

test.each([
  ['+491713920050', 'handsets/%2B491713920050'],
  ['ada@example.com', 'mailboxes/ada%40example.com'],
  ['msg_00000000-0000-4000-8000-000000000001', 'messages/msg_00000000-0000-4000-8000-000000000001'],
])('%s is opened at its page, in the namespace of the key', async (what, place) => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: 'sk_sandbox_ada' }
  const { json } = await sandboxCommand(['open', what, '--print'], { env })
  expect(json).toEqual({ url: `${sandbox.url}/#/ada/${place}` })
})

test('the token of an open sandbox travels after the hash', async () => {
  await using sandbox = await createSandbox()
  const env = {
    SANDBOX_BASE_URL: sandbox.url,
    SANDBOX_API_KEY: 'sk_sandbox_default',
    SANDBOX_CONTROL_TOKEN: 'ct_0123456789abcdef',
  }
  const { json } = await sandboxCommand(['open', '--print'], { env })
  expect(json.url).toBe(`${sandbox.url}/#/default/messages?token=ct_0123456789abcdef`)
})

test('the secret of a key of a shared sandbox is not in the address', async () => {
  const { url, create } = await shared()
  const { api_key, control_token } = await create('team-a')
  const env = { SANDBOX_BASE_URL: url, SANDBOX_API_KEY: api_key, SANDBOX_CONTROL_TOKEN: control_token }
  const { json } = await sandboxCommand(['open', '--print'], { env })
  expect(json.url).toBe(`${url}/#/team-a/messages?token=${control_token}`)
})

test('open fails if no sandbox runs', async () => {
  const { env, opened } = await notingBrowser()
  expect(await sandboxCommand(['open'], { env: { ...env, SANDBOX_BASE_URL: 'http://localhost:1' } })).toMatchObject({
    code: 6,
  })
  expect(await opened()).toBeUndefined()
})
