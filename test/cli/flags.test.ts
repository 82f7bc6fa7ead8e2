import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const LONG_NAME = 'x'.repeat(300)

test('a text comes from the flag, from stdin or from a file, and may itself begin with @', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  await writeFile(join(cwd, 'note.txt'), 'From a file\n')
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const sentAs = async (text: string, stdin = '') => {
    const { code, json } = await sandboxCommand(['send', '+491713920000', '--text', text], { env, cwd, stdin })
    expect(code).toBe(0)
    return (await sandbox.client.messages.get(String(json.message_id))).content
  }
  expect(await sentAs('Plain text')).toEqual({ text: 'Plain text' })
  expect(await sentAs('-', 'Two\nlines\n')).toEqual({ text: 'Two\nlines' })
  expect(await sentAs('@note.txt')).toEqual({ text: 'From a file' })
  expect(await sentAs('@@ada was here')).toEqual({ text: '@ada was here' })
  const missing = await sandboxCommand(['send', '+491713920000', '--text', '@none.txt'], { env, cwd })
  expect(missing).toMatchObject({ code: 2, error: { message: 'none.txt cannot be read: there is no such file.' } })
  const twice = await sandboxCommand(['send', 'ada@example.com', '--subject', 'Hi', '--text', '-', '--html', '-'], {
    env,
  })
  expect(twice).toMatchObject({ code: 2, error: { message: expect.stringContaining('--text and --html') } })
})

test('the byte order mark that Windows writes into a file is not sent', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await writeFile(join(cwd, 'note.txt'), '\ufeffFrom a file')
  await writeFile(join(cwd, 'content.json'), '\ufeff{"text":"From a file"}')
  await writeFile(join(cwd, 'mail.html'), '\ufeff<p>From a file</p>')
  const contentOf = async (to: string, ...flags: string[]) => {
    const { json } = await sandboxCommand(['send', to, ...flags], { env, cwd })
    return (await sandbox.client.messages.get(String(json.message_id))).content
  }
  expect(await contentOf('+491713920000', '--text', '@note.txt')).toEqual({ text: 'From a file' })
  expect(await contentOf('+491713920000', '--content', 'content.json')).toEqual({ text: 'From a file' })
  const email = await contentOf('delivered@sandbox.test', '--subject', 'Hi', '--html', '@mail.html')
  expect(email).toMatchObject({ html: '<p>From a file</p>' })
})

test('text that is not UTF-8 and an empty stdin are refused, and email parts go to email addresses only', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  await writeFile(join(cwd, 'latin.txt'), Buffer.from('Gr\xfc\xdfe', 'latin1'))
  const errorOf = async (...flags: string[]) => {
    const env = { SANDBOX_BASE_URL: sandbox.url }
    const { code, error } = await sandboxCommand(['send', '+491713920000', ...flags], { env, cwd, stdin: '' })
    expect(code).toBe(2)
    return error.message
  }
  expect(await errorOf('--text', '@latin.txt')).toBe('latin.txt is not UTF-8 text.')
  expect(await errorOf('--text', '-')).toBe('stdin is empty.')
  expect(await errorOf('--text', 'Hi', '--html', '<p>Hi</p>', '--subject', 'Hi')).toBe(
    '--subject and --html can only be sent to an email address.',
  )
  expect(await errorOf()).toBe('Missing the content (--text, --content or --template).')
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test.each([
  ['snapshots', 'import', LONG_NAME],
  ['listen', '--print-secret', '--write-env', LONG_NAME],
  ['report', LONG_NAME],
])('a file name that the system refuses is not a bug: %s %s', async (...argv) => {
  await using sandbox = await createSandbox()
  const { code, error } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect({ code, message: error.message }).toEqual({ code: 2, message: expect.stringContaining('ENAMETOOLONG') })
})

test.runIf(process.platform === 'linux')('a folder that the system never creates is refused at once', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { code, error } = await sandboxCommand(['report', '/proc/x/y'], { env })
  expect({ code, message: error.message }).toEqual({ code: 2, message: expect.stringContaining('ENOENT') })
})

test('--data takes JSON itself, not only the name of its file', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const create = (data: string) => sandboxCommand(['contacts', 'create', '--data', data], { env })
  expect((await create('{"email":"bo@example.com"}')).json).toMatchObject({ email: 'bo@example.com' })
  expect((await create('{"email"')).error.message).toMatch(/^The value is not JSON: /)
})

test('a flag that is given twice is refused unless it is repeatable', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const errorOf = async (...argv: string[]) => {
    const { code, error } = await sandboxCommand(argv, { env })
    expect(code).toBe(2)
    return error.message
  }
  const to = ['send', '+491713920000']
  expect(await errorOf(...to, '--text', 'a', '--text', 'b')).toBe('--text is given twice.')
  expect(await errorOf('messages', 'list', '--status', 'read', '--status', 'failed')).toBe('--status is given twice.')
  expect(await errorOf('handsets', 'set', '+491713920050', '--rcs', '--no-rcs')).toBe(
    '--rcs and --no-rcs contradict each other.',
  )
  expect(await errorOf(...to, '--template', 'tpl_1', '--var', 'name=A', '--var', 'name=B')).toContain(
    '"name" is given twice',
  )
  const collected = ['contacts', 'create', '--phone', '+491713920051', '--tag', 'a', '--tag', 'b,c', '--json', '--json']
  expect((await sandboxCommand(collected, { env })).json.tags).toEqual(['a', 'b', 'c'])
})

test('events list shows the newest events first, or continues from a given position', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (let i = 0; i < 5; i++) await sandbox.client.contacts.create({ email: `${i}@example.com` })
  const seqs = async (...flags: string[]) =>
    ((await sandboxCommand(['events', 'list', ...flags], { env })).json.events as { seq: number }[]).map(
      ({ seq }) => seq,
    )
  const [newest = 0] = await seqs('--limit', '1')
  expect(await seqs('--limit', '2')).toEqual([newest, newest - 1])
  expect(await seqs('--limit', '2', '--before', String(newest - 1))).toEqual([newest - 2, newest - 3])
  expect(await seqs('--limit', '2', '--after', '1')).toEqual([2, 3])
  expect(await seqs('--limit', '2', '--order', 'oldest')).toEqual([1, 2])
  const shown = await sandboxCommand(['events', 'list', '--limit', '2'], { env, tty: true })
  expect(shown.stdout).toContain(`more: --before ${newest - 1}`)
  // The API is unchanged: readers page through it with `after`.
  expect((await sandbox.client.events.list({ limit: 2 })).events.map(({ seq }) => seq)).toEqual([1, 2])
})

test.each([
  ['exec', '--seed', '', '--', 'true'],
  ['exec', '--save-on-failure', '', '--', 'true'],
  ['start', '--memory', '--port', '0', '--host', ''],
  ['run', 'a.yaml', '--junit', ''],
  ['billing', 'balance', '--api-key', ''],
  ['--control-token', '', 'billing', 'balance'],
])('an option with an empty value is refused: %s %s', async (...argv) => {
  const option = argv[argv.indexOf('') - 1]
  expect(await sandboxCommand(argv)).toMatchObject({
    code: 2,
    error: { message: `${option} is empty.`, hint: expect.stringContaining('shell variable') },
  })
})

test.each([
  ['send', '+491713920000', '--text', '--dry-run'],
  ['contacts', 'create', '--email', 'a@example.com', '--first-name', '--dry-run'],
  ['start', '--data', '--detach'],
  ['messages', 'list', '--status', '--limit=1'],
  ['listen', '--forward-to', '1', '--events', '--audit'],
  ['billing', 'balance', '--api-key', '--json'],
  ['--api-key', '--live', 'billing', 'balance'],
  ['api', '/v1/messages', '-d', '--help'],
])('an option is not taken for the value of another one: %s %s %s %s', async (...argv) => {
  const at = argv.findIndex((word, i) => word.startsWith('-') && argv[i + 1]?.startsWith('-'))
  const option = argv[at] === '-d' ? '--data' : argv[at]
  expect(await sandboxCommand(argv, { cwd: await folder() })).toMatchObject({
    code: 2,
    error: {
      message: `${option} needs a value, and ${argv[at + 1]} is an option.`,
      hint: expect.stringContaining(`${option}=${argv[at + 1]}`),
    },
  })
})

test('a value may look like an option', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (const words of [['--text=--dry-run'], ['--text', '--hello'], ['--text', '-1']])
    expect(await sandboxCommand(['send', '+491713920000', ...words], { env })).toMatchObject({ code: 0 })
  expect(await sandboxCommand(['exec', '--', 'true', '--seed', '--clock'])).toMatchObject({ code: 0 })
})

test('a seed that no world file could have is refused', async () => {
  expect(await sandboxCommand(['exec', '--seed', 'x'.repeat(101), '--', 'true'])).toMatchObject({
    code: 2,
    error: { message: expect.stringContaining('at most 100 characters') },
  })
})
