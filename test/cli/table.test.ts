import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const LONG = 'https://example.com/a/path/that/is/longer/than/any/terminal/would/have/room/for/and/then/some'

test.each([40, 80, 120])('tables fit into %i columns, and ids stay whole', async (columns) => {
  await using sandbox = await createSandbox()
  const at = { tty: true, columns, env: { SANDBOX_BASE_URL: sandbox.url } }
  const { id } = await sandbox.client.webhooks.create({ url: LONG, events: ['*'] })
  const contact = await sandbox.client.contacts.create({ email: 'li@example.com', phone: '+491713920099' })
  await sandbox.client.consent.record(contact.id, {
    ...{ channel_type: 'EMAIL', message_type: 'MESSAGE', status: 'GRANTED' },
    source: '表格 👩‍👩‍👧 '.repeat(20),
  })
  // Where an id leaves no room for a second column, each row is a block of lines, which may wrap.
  const wide = [
    ['webhooks', 'list'],
    ['consent', 'list', contact.id],
    ['world', 'show'],
  ]
  for (const argv of [['billing', 'transactions'], ...(columns > 40 ? wide : [])]) {
    const { stdout } = await sandboxCommand(argv, at)
    const rows = stdout.split('\n').filter((line) => !line.includes('hidden'))
    for (const row of rows) expect(stringWidth(row), `${argv.join(' ')}: ${row}`).toBeLessThanOrEqual(columns)
  }
  expect((await sandboxCommand(['webhooks', 'list'], at)).stdout).toContain(id)
})

test('hidden columns are named, and a pipe gets all columns', async () => {
  await using sandbox = await createSandbox()
  await sandboxCommand(['send', '+491713920000', '--text', 'Hello'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  const at = { tty: true, columns: 80, env: { SANDBOX_BASE_URL: sandbox.url } }
  const { stdout } = await sandboxCommand(['messages', 'list'], at)
  expect(stdout).toMatch(/^msg_[0-9a-f-]{36} {2}queued +RCS +\+491713920000$/m)
  expect(stdout).toContain('hidden here: message_type, created_at; --json shows all')
  const piped = await sandboxCommand(['messages', 'list', '--output', 'table'], { ...at, tty: false })
  expect(piped.stdout).toMatch(/^id +status +channel +to +message_type +created_at\nmsg_/)
})

test('a time is shown whole or not at all', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const at = { tty: true, columns: 80, env: { SANDBOX_BASE_URL: sandbox.url } }
  const { stdout } = await sandboxCommand(['events', 'list'], at)
  expect(stdout).toMatch(/^1 +contact\.created +\d{4}-\d\d-\d\dT[\d:.]+Z$/m)
})

test('columns are aligned whatever they contain', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (const name of ['plain', '表格', '👩‍👩‍👧'])
    await sandbox.client.webhooks.create({ url: `https://example.com/${name}`, events: ['*'] })
  await sandboxCommand(['snapshots', 'save', 'one'], { env })
  const { stdout } = await sandboxCommand(['webhooks', 'list'], { tty: true, columns: 120, env })
  const rows = stdout.trim().split('\n')
  const at = (line: string) => stringWidth(line.slice(0, line.lastIndexOf('  ')))
  expect(new Set(rows.slice(1).map(at)).size).toBe(1)
})

test('ndjson prints one record for each line, and JSON is indented on a terminal', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (const text of ['one', 'two', 'three']) await sandboxCommand(['send', '+491713920000', '--text', text], { env })
  const { lines, stderr } = await sandboxCommand(['messages', 'list', '--limit', '2', '--output', 'ndjson'], { env })
  expect(lines).toMatchObject([{ content: { text: 'three' } }, { content: { text: 'two' } }])
  expect(JSON.parse(stderr)).toMatchObject({ type: 'more', has_more: true, next_cursor: expect.any(String) })
  const shown = await sandboxCommand(['billing', 'balance', '--json'], { tty: true, env })
  expect(shown.stdout).toMatch(/^\{\n {2}"free": /)
  expect((await sandboxCommand(['billing', 'balance', '--output', 'tabel'], { env })).error.message).toContain('ndjson')
})
