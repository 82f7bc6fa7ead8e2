import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INSPECTOR_PAGES } from '../../src/words/inspector-page.ts'
import { folder } from '../folder.ts'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { shared } from '../server/tenants/shared.ts'
import { sandboxCommand } from './terminal.ts'

const NONE = '99999999-0000-4000-8000-000000000000'

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

test.each<[string, string]>([
  ['+491713920050', 'handsets/%2B491713920050'],
  ['ada@example.com', 'mailboxes/ada%40example.com'],
  [agents.multi, `agents/${agents.multi}`],
  ['c_00000000-0000-4000-8000-000000000050', 'contacts/c_00000000-0000-4000-8000-000000000050'],
  ['00000000-0000-4000-8000-000000000101', 'campaigns/00000000-0000-4000-8000-000000000101'],
  ...INSPECTOR_PAGES.map((page): [string, string] => [page, page]),
])('%s is opened at its page, in the namespace of the key', async (what, place) => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: 'sk_sandbox_ada' }
  const { json } = await sandboxCommand(['open', what, '--print'], { env })
  expect(json).toEqual({ url: `${sandbox.url}/#/ada/${place}` })
})

test('what a call made is opened at its page, and the token follows a filter', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const endpoint = await client.webhooks.create({ url: 'http://localhost:1/hook', events: ['message.*'] })
  const { message_id } = await client.messages.send({
    ...{ to: '+491713920000', agent_id: agents.multi, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' },
    content: { text: 'Hello' },
  })
  const [event] = (await client.events.list()).events
  const [request] = (await client.logs.list()).requests
  const [delivery] = (await client.events.deliveries()).data
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_CONTROL_TOKEN: 'ct_0123456789abcdef' }
  const token = 'token=ct_0123456789abcdef'
  for (const [what, place] of [
    [message_id, `messages/${message_id}?${token}`],
    ['last', `messages/${message_id}?${token}`],
    [event!.id, `events/${event!.id}?${token}`],
    [request!.request_id, `requests/${request!.request_id}?${token}`],
    [endpoint.id, `webhooks?endpoint_id=${endpoint.id}&${token}`],
    [delivery!.id, `webhooks?selected=${delivery!.id}&${token}`],
  ] as const) {
    const { json } = await sandboxCommand(['open', what, '--print'], { env })
    expect(json).toEqual({ url: `${sandbox.url}/#/default/${place}` })
  }
})

test.each([
  ...['msg_', 'c_', 'ag_live_', 'evt_', 'req_', 'dlv_', ''].map((prefix) => [`${prefix}${NONE}`, 5] as const),
  ...['biling', 'ch_1', `run_${NONE}`, '+49', 'toString', 'constructor_1'].map((what) => [what, 2] as const),
])('%s is refused before a browser opens (exit code %i)', async (what, code) => {
  await using sandbox = await createSandbox()
  const { env, opened } = await notingBrowser()
  const answer = await sandboxCommand(['open', what], { env: { ...env, SANDBOX_BASE_URL: sandbox.url } })
  expect(answer.code).toBe(code)
  if (what === NONE) expect(answer.stderr).toContain('There is no campaign and no webhook endpoint')
  if (code === 2) expect(answer.stderr).toContain('id of a message, contact, agent, campaign')
  expect(await opened()).toBeUndefined()
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
