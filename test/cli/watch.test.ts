import { expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const send = async (sandbox: Sandbox, to: string, ...flags: string[]) => {
  const { json } = await sandboxCommand(['send', to, '--text', 'hi', ...flags], {
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  return String(json.message_id)
}
const watch = (sandbox: Sandbox, id: string, ...flags: string[]) =>
  sandboxCommand(['messages', 'watch', id, '--interval', '1ms', ...flags], { env: { SANDBOX_BASE_URL: sandbox.url } })

test('a message that was read shows its timeline, one line each, and exits with 0', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920000')
  await sandbox.clock.advance('24h')
  const { code, lines } = await watch(sandbox, id)
  expect(code).toBe(0)
  expect(lines.map(({ type }) => type)).toEqual(['queued', 'sent', 'delivered', 'read'])
})

test('people read the name of a status in the timeline too', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920000')
  await sandbox.clock.advance('24h')
  const at = { tty: true, env: { SANDBOX_BASE_URL: sandbox.url } }
  for (const verb of ['get', 'watch']) {
    const { stdout } = await sandboxCommand(['messages', verb, id], at)
    expect(stdout).toMatch(/\bdispatched\b/)
    expect(stdout).not.toMatch(/\bsent\b/)
  }
})

test('watching is not affected by faults, and does not fill the request log', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920000')
  await sandbox.clock.advance('24h')
  await sandbox.faults.add({ routes: ['messages.get'], status: 503, times: 1 })
  const { last_seq } = await sandbox.client.logs.list()
  expect((await watch(sandbox, id)).code).toBe(0)
  expect((await sandbox.client.logs.list({ after: last_seq })).requests).not.toContainEqual(
    expect.objectContaining({ path: `/v1/messages/${id}` }),
  )
  await expect(sandbox.client.messages.get(id)).rejects.toMatchObject({ status: 503 })
})

test('a message that failed says why and exits with 7', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920011')
  await sandbox.clock.advance('24h')
  const { code, lines, error } = await watch(sandbox, id)
  expect(code).toBe(7)
  expect(lines.at(-1)).toMatchObject({ type: 'failed', failure_reason: 'UNKNOWN_RCS_USER' })
  expect(error).toMatchObject({ error: 'not_delivered', status: 'failed', exit_code: 7 })
})

test('watching a message that is delivered but not read ends after a while, unless read was requested', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920001')
  await sandbox.clock.advance('1h')
  expect((await watch(sandbox, id, '--settle', '0')).code).toBe(0)
  expect((await watch(sandbox, id, '--until', 'delivered')).code).toBe(0)
  expect((await watch(sandbox, id, '--until', 'read', '--timeout', '1ms')).code).toBe(8)
})

test('watching prints events as they happen', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920000')
  let moved: Promise<unknown> | undefined
  const { code, lines } = await sandboxCommand(['messages', 'watch', id, '--interval', '1ms'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
    onOutput() {
      moved ??= sandbox.clock.advance('24h')
    },
  })
  await moved
  expect(code).toBe(0)
  expect(lines.map(({ type }) => type)).toEqual(['queued', 'sent', 'delivered', 'read'])
})

test('Ctrl-C ends a watch with 130, and a reader that leaves ends it quietly', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920000')
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const interrupted = await sandboxCommand(['messages', 'watch', id], { env, onOutput: (_, stop) => stop('SIGINT') })
  expect(interrupted).toMatchObject({ code: 130, stderr: '' })
  const left = await sandboxCommand(['messages', 'watch', id], { env, onOutput: (_, stop) => stop('EPIPE') })
  expect(left).toMatchObject({ code: 0, stderr: '' })
})

test('an unknown message is not found', async () => {
  await using sandbox = await createSandbox()
  expect((await watch(sandbox, 'msg_00000000-0000-4000-8000-000000000009')).code).toBe(5)
})

test.each([
  ['frozen', /^The clock is frozen; advance it: sandbox clock advance 1m$/],
  ['real', /^Next: message\.\w+ at 20\S+Z\.$/],
] as const)('a watch that takes too long on a %s clock says what it waits for', async (clock, hint) => {
  await using sandbox = await createSandbox({ clock })
  const id = await send(sandbox, '+491713920020', '--ttl', '60s')
  const { code, error } = await watch(sandbox, id, '--timeout', '1ms')
  expect(code).toBe(8)
  expect(error.hint).toMatch(hint)
})
