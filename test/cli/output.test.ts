import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { createOutput } from '../../src/cli/output/output.ts'
import { progressBar } from '../../src/cli/output/progress.ts'
import type { Io } from '../../src/cli/process/io.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

test('a program gets one JSON document on stdout and nothing else', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['contacts', 'get', 'magic-00'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(got).toMatchObject({ code: 0, stderr: '' })
  expect(got.json).toMatchObject({ phone: '+491713920000', external_id: 'magic-00' })
})

test('a person gets words, and JSON with --json', async () => {
  await using sandbox = await createSandbox()
  const at = { tty: true, env: { SANDBOX_BASE_URL: sandbox.url } }
  expect((await sandboxCommand(['billing', 'balance'], at)).stdout).toMatch(/free\s+1000.00 EUR\n/)
  expect((await sandboxCommand(['billing', 'balance', '--json'], at)).json).toMatchObject({ free: 1000 })
  expect((await sandboxCommand(['--json', 'billing', 'balance'], at)).json).toMatchObject({ free: 1000 })
})

test('--quiet prints the ids of the records that a list holds, not those that they name', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await sandboxCommand(['send', '+491713920000', '--text', 'Hi'], { env })
  await sandbox.clock.advance('1m')
  for (const [argv, ids] of [
    [['billing', 'transactions'], /^(txn_\d+\n){3}$/],
    [['events', 'list'], /^(evt_\S+\n){3}$/],
    [['logs'], /^(req_\S+\n)+$/],
    [['inbox', 'show', '+491713920000'], /^msg_\S+\n$/],
  ] as const)
    expect((await sandboxCommand([...argv, '--quiet'], { env })).stdout).toMatch(ids)
})

test('--quiet prints the id of what was made', async () => {
  await using sandbox = await createSandbox()
  const { stdout } = await sandboxCommand(['billing', 'topup', '50', '--quiet'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(stdout).toMatch(/^txn_\d+\n$/)
})

test('a remark replaces the progress bar, which never takes a second line', async () => {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  const terminal = { isTTY: true, columns: 40, write }
  const io = { env: {}, stdout: terminal, stderr: terminal, stdin: { isTTY: true } } as unknown as Io
  const output = await createOutput(io, { format: undefined, color: false, withProgramName: (text) => text })
  const bar = progressBar({ output })
  bar.show(0.5, '4 of 8 a-flow-with-a-long-name')
  output.warn({ message: 'It takes long.' })
  bar.end()
  expect(written).toEqual([
    `\r${'█'.repeat(12)}${'░'.repeat(12)} 4 of 8 a-flow-\u001b[K`,
    '\r\u001b[K',
    '! It takes long.\n',
  ])
})

test('colour is for people, and not with NO_COLOR or --no-color', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url, NO_COLOR: '' }
  const colour = '\u001b['
  expect((await sandboxCommand(['billing', 'balance'], { tty: true, env })).stdout).toContain(colour)
  expect((await sandboxCommand(['billing', 'balance', '--no-color'], { tty: true, env })).stdout).not.toContain(colour)
  expect(
    (await sandboxCommand(['billing', 'balance'], { tty: true, env: { ...env, NO_COLOR: '1' } })).stdout,
  ).not.toContain(colour)
})

test('a refusal is JSON on stderr with the request id, and exit 4', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['messages', 'list', '--limit', '0'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(got).toMatchObject({ code: 4, stdout: '' })
  expect(got.error).toMatchObject({ error: 'validation_error', http_status: 400, exit_code: 4 })
  expect(got.error.request_id).toMatch(/^req_/)
})

test('a key with characters that a header cannot contain is a usage error, not a bug', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (const key of ['sk_sandbox_a\nb', 'sk_sandbox_\u{1f4a5}']) {
    const got = await sandboxCommand(['clock', 'show', '--api-key', key], { env })
    expect(got).toMatchObject({ code: 2, error: { error: 'usage', hint: expect.stringContaining('--api-key') } })
    expect(got.error).not.toHaveProperty('stack')
  }
})

test('each kind of failure has its own exit code', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  const codeOf = async (...argv: string[]) => (await sandboxCommand(argv, at)).code
  expect(await codeOf('messages', 'get', 'msg_00000000-0000-4000-8000-000000000009')).toBe(5)
  expect(await codeOf('billing', 'balance', '--api-key', 'sk_live_1')).toBe(3)
  expect(await codeOf('billing', 'balance', '--base-url', 'http://localhost:1')).toBe(6)
  expect(await codeOf('billing', 'balance', '--base-url', 'localhost:7270')).toBe(2)
  expect(await codeOf('send', '+491713920010', '--text', 'not capable, yet nothing that was named is missing')).toBe(4)
})

test('a stopped sandbox is reported with the command that starts it', async () => {
  const got = await sandboxCommand(['billing', 'balance', '--base-url', 'http://localhost:1'])
  expect(got.error).toMatchObject({ error: 'unreachable', hint: expect.stringContaining('sandbox start') })
})

test('a misspelt name is refused with the nearest existing one', async () => {
  const hintOf = async (...argv: string[]) => {
    const { code, error } = await sandboxCommand(argv)
    expect(code).toBe(2)
    return error.hint
  }
  expect(await hintOf('mesages')).toContain('Did you mean messages?')
  expect(await hintOf('contacts', 'creat')).toContain('Did you mean create?')
  const made = {
    rules: 'add',
    snapshots: 'save',
    consent: 'grant',
    leases: 'take',
    carriers: 'set',
    billing: 'topup',
    faults: 'add',
  }
  for (const [noun, verb] of Object.entries(made))
    expect(await hintOf(noun, 'create')).toContain(`Did you mean ${verb}?`)
  expect(await hintOf('messages', 'new')).toContain('Did you mean sandbox send?')
  expect(await hintOf('webhooks', 'set')).toContain('Did you mean update?')
  expect(await hintOf('messages', 'show')).toContain('Did you mean get?')
  expect(await hintOf('messages', 'list', '--status', 'delivred')).toContain('Did you mean delivered?')
  expect(await hintOf('send', '+491713920000', '--txt', 'hi')).toContain('Did you mean --text?')
})

test('an unknown command of a noun is refused with the list of its commands', async () => {
  const { error } = await sandboxCommand(['messages', 'frobnicate'])
  expect(error.message).toContain("Unknown command 'frobnicate'. Commands: get, list, revoke")
})

test.each([
  [502, 'text/html', 6],
  [500, 'text/html', 6],
  [400, 'application/json', 4],
  [404, 'text/html', 5],
])('a refusal %i that is not JSON, declared as %s, is reported, not thrown', async (status, type, code) => {
  const server = createServer((_, res) => res.writeHead(status, { 'Content-Type': type }).end('<h1>Bad gateway</h1>'))
  const baseUrl = await urlOf(server)
  const got = await sandboxCommand(['billing', 'balance', '--base-url', baseUrl])
  const shown = await sandboxCommand(['status', '--base-url', baseUrl])
  expect(got).toMatchObject({ code })
  expect(got.error).toMatchObject({
    error: `http_${status}`,
    message: expect.stringContaining('Bad gateway'),
    hint: expect.stringMatching(/^Check the base URL/),
  })
  // A gateway answers for a service that is down.
  expect({ code: shown.code, answers: shown.json.answers }).toEqual(
    status < 500 ? { code: 10, answers: 'something else' } : { code: 6, answers: null },
  )
})

test('an invalid address in the environment is a configuration error', async () => {
  expect((await sandboxCommand(['billing', 'balance'], { env: { SANDBOX_BASE_URL: 'sandbox' } })).code).toBe(3)
})
