import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { atTerminal, hasPseudoTerminal } from './pseudo-terminal.ts'

const ENTER = '\r'
const DOWN = '\u001b[B'
const CTRL_C = '\u0003'

test.skipIf(!hasPseudoTerminal)(
  'send asks for a recipient and a text, and asks again for an invalid address',
  async () => {
    await using sandbox = await createSandbox()
    const terminal = atTerminal(['send'], { SANDBOX_BASE_URL: sandbox.url })
    await terminal.until('Recipient (phone number or email address)?')
    terminal.press(`0171${ENTER}`)
    await terminal.until('must be a phone number in international format')
    await terminal.until('Recipient (phone number or email address)?')
    terminal.press(`+491713920000${ENTER}`)
    await terminal.until('Text of the message?')
    terminal.press(`Hellx\u007fo${ENTER}`)
    await terminal.until('queued')
    expect(await terminal.ended).toBe(0)
    const { messages } = await sandbox.client.messages.list()
    expect(messages).toMatchObject([{ to: '+491713920000', content: { text: 'Hello' } }])
  },
)

test.skipIf(!hasPseudoTerminal)('agents create offers choices by arrow keys', async () => {
  await using sandbox = await createSandbox()
  const terminal = atTerminal(['agents', 'create'], { SANDBOX_BASE_URL: sandbox.url })
  await terminal.until('Billing category?')
  await terminal.until('NON_CONVERSATIONAL')
  terminal.press(DOWN)
  await terminal.until('❯ NON_CONVERSATIONAL')
  terminal.press(ENTER)
  await terminal.until('Use case?')
  terminal.press(ENTER)
  await terminal.until('Newsletter enabled?')
  terminal.press(ENTER)
  await terminal.until('Display name?')
  terminal.press(`Corner shop${ENTER}`)
  await terminal.until('created: DRAFT')
  await terminal.until('NON_CONVERSATIONAL')
  await terminal.until('Corner shop')
  expect(await terminal.ended).toBe(0)
})

test.skipIf(!hasPseudoTerminal)('a key is asked for without being shown', async () => {
  const home = await folder()
  const terminal = atTerminal(['profile', 'add', 'staging'], { XDG_CONFIG_HOME: home })
  await terminal.until('Address of the service?')
  terminal.press(`https://staging.example.com${ENTER}`)
  await terminal.until('API key?')
  terminal.press(`sk_of_this_test${ENTER}`)
  await terminal.until('staging  https://staging.example.com')
  expect(await terminal.ended).toBe(0)
  expect(terminal.text()).not.toContain('sk_of')
  const file = join(home, 'messaging-sandbox', 'profiles.json')
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.staging.api_key).toBe('sk_of_this_test')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test.skipIf(!hasPseudoTerminal)('init asks for a phone number and a port, and suggests defaults', async () => {
  const cwd = await folder()
  const terminal = atTerminal(['init'], {}, 'true', cwd)
  await terminal.until('Your own phone number')
  terminal.press(`+4915112345678${ENTER}`)
  await terminal.until('Port of your webhook receiver')
  terminal.press(ENTER)
  await terminal.until('listen --forward-to 3000/hook')
  expect(await terminal.ended).toBe(0)
  expect(await readFile(join(cwd, 'world.yaml'), 'utf8')).toContain('+4915112345678')
  // The build rewrites imports of our own modules only.
  expect(await readFile(join(cwd, 'receiver.mjs'), 'utf8')).toContain("from 'node:crypto'")
})

test.skipIf(!hasPseudoTerminal)(
  'Ctrl-C at a question ends the command, sends nothing and leaves the terminal as it was',
  async () => {
    await using sandbox = await createSandbox()
    const terminal = atTerminal(['send'], { SANDBOX_BASE_URL: sandbox.url }, 'stty -a')
    await terminal.until('Recipient (phone number')
    terminal.press(CTRL_C)
    await terminal.until(' icanon')
    expect(await terminal.ended).toBe(130)
    expect((await sandbox.client.messages.list()).messages).toEqual([])
  },
)
