import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

/** Colour, an OSC that sets the title, a C1 that begins a sequence, text from right to left, a line that poses as a row. */
const HOSTILE = 'a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\u202ee\u200bf\r\n✓ paid'
const SHOWN = 'a␛[31mb␛]0;title␇c<U+009B>2Jd<U+202E>e<U+200B>f␍␊✓ paid'

/** Control characters, except line ends and the colours of the command line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds these characters
const STEERS = /(?!\n|\u001b\[(?:1|2|22|3[1236]|39)m)[\p{Cc}\u200b\u2028\u202a-\u202e]/u

test('text from others is printed without control characters for people, and unchanged for programs', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'ada', tags: [HOSTILE] })
  const people = await sandboxCommand(['contacts', 'get', 'ada'], { tty: true, env })
  expect(people.stdout).toContain(SHOWN)
  expect(people.stdout).not.toMatch(STEERS)
  const program = await sandboxCommand(['contacts', 'get', 'ada'], { env })
  expect(program.json.tags).toEqual([HOSTILE])
  expect(program.stdout).not.toMatch(STEERS)
})

test.each(['csv', 'yaml', 'ndjson', 'json', 'table'])(
  '--output %s contains no control characters, and can be parsed',
  async (format) => {
    await using sandbox = await createSandbox()
    const env = { SANDBOX_BASE_URL: sandbox.url }
    const custom_fields = { [HOSTILE]: HOSTILE }
    await sandbox.client.contacts.create({
      email: 'ada@example.com',
      external_id: 'ada',
      first_name: HOSTILE,
      custom_fields,
    })
    for (const argv of [
      ['contacts', 'get', 'ada'],
      ['api', 'GET', '/v1/contacts/ada'],
    ])
      for (const more of [[], ['--query', 'custom_fields'], ['--query', 'keys(custom_fields)']]) {
        const { stdout, code } = await sandboxCommand([...argv, ...more, '--output', format], { tty: true, env })
        expect(code).toBe(0)
        expect(stdout).not.toMatch(STEERS)
        if (format === 'yaml') expect(JSON.stringify(parse(stdout))).toContain(JSON.stringify(HOSTILE).slice(1, -1))
      }
    const { stdout } = await sandboxCommand(['contacts', 'get', 'ada', '--output', 'csv'], { env })
    expect(stdout).toContain(HOSTILE)
  },
)

test('a text with line breaks stays in one row of a table', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await sandbox.client.webhooks.create({ url: 'https://example.com/hook', events: ['*'], description: HOSTILE })
  const { stdout } = await sandboxCommand(['webhooks', 'list'], { tty: true, env })
  expect(stdout.trim().split('\n')).toHaveLength(2)
})

test('the lines of a message stay lines, each of them printable', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await sandboxCommand(['send', '+491713920000', '--text', 'Dear \u001b[2JAda,\nyour order is ready'], { env })
  const { stdout } = await sandboxCommand(['inbox', 'show', '+491713920000'], { tty: true, env })
  expect(stdout).toContain('  Dear ␛[2JAda,\n  your order is ready')
})

test('a refusal of a server is printed without control characters', async () => {
  const body = {
    error: 'odd',
    message: HOSTILE,
    details: [HOSTILE, HOSTILE].map((field) => ({ field, message: field })),
  }
  const server = createServer((_, res) =>
    res.writeHead(422, { 'content-type': 'application/json', 'x-request-id': 'req_\u009b' }).end(JSON.stringify(body)),
  )
  const argv = ['billing', 'balance', '--base-url', await urlOf(server)]
  const people = await sandboxCommand(argv, { tty: true })
  expect(people.stderr).toContain(SHOWN)
  expect(people.stderr).not.toMatch(STEERS)
  expect(people.stderr).not.toMatch(/^✓/m)
  const program = await sandboxCommand(argv)
  expect(program.error.message).toBe(HOSTILE)
  expect(program.stderr).not.toMatch(STEERS)
})

test('field names of a world file, and a dump on a terminal, are printed without control characters', async () => {
  const stdin = `contacts:\n  - ${JSON.stringify(HOSTILE)}: 1\n`
  const people = await sandboxCommand(['world', 'validate', '-'], { tty: true, stdin })
  expect(people.code).toBe(3)
  expect(people.stdout).toContain(SHOWN)
  expect(people.stdout).not.toMatch(STEERS)
  await using sandbox = await createSandbox()
  await sandbox.client.contacts.create({ email: 'ada@example.com', first_name: HOSTILE })
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const dump = await sandboxCommand(['world', 'dump'], { tty: true, env })
  expect(dump.stderr).toBe('')
  expect(dump.stdout).toContain('ada@example.com')
  expect(dump.stdout).not.toMatch(STEERS)
  // In a pipe it is the file, byte by byte.
  expect((await sandboxCommand(['world', 'dump'], { env })).stdout).toMatch(STEERS)
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds these characters
const COLOURED_NAME = /[anmprs]\u001b\[31m(?:b|\.|"| )/

test('names in a scenario, its file name and the names of other files cannot steer the terminal', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const cwd = await folder()
  const file = 'n\u001b[31m.yaml'
  const name = JSON.stringify(`esc ${HOSTILE}`)
  await writeFile(join(cwd, file), `name: ${name}\nworld: ${name}\nsteps: [{ name: ${name}, check: 1, expect: 2 }]\n`)
  await writeFile(join(cwd, 'm\u001b[31m.csv'), 'to,text\n+491713920040,x\n')
  await sandboxCommand(['profile', 'add', 'p\u001b[31m', '--base-url', sandbox.url], { cwd, env })
  for (const argv of [
    ['run', file],
    ['run', file, '--dry-run'],
    ['run', '--fresh', file],
    ['world', 'validate', file],
    ['send', '--batch', 'm\u001b[31m.csv'],
    ['send', '--batch', 'm\u001b[31m.csv', '--dry-run'],
    ['snapshots', 'save', 's\u001b[31m'],
    ['record', '--since', 'start', '--out', 'r\u001b[31m.yaml'],
    ['start', '--port', '0', '--world', file],
  ]) {
    const { stdout, stderr } = await sandboxCommand(argv, { tty: true, cwd, env })
    // The progress bar deletes itself.
    const text = (stdout + stderr).replaceAll('\r', '').replaceAll('\u001b[K', '')
    expect({ argv, text }).toEqual({ argv, text: expect.not.stringMatching(STEERS) })
    // Our own colours never follow the letter that each name has before its colour.
    expect({ argv, text }).toEqual({ argv, text: expect.not.stringMatching(COLOURED_NAME) })
  }
})
