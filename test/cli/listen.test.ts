import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifySignature } from '../../src/receiving/index.ts'
import { folder } from '../folder.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

test('listen follows an emulator that is killed and started again, and forwards each event', async () => {
  const cwd = await folder()
  await using receiver = await startReceiver()
  const start = async (port: string) => {
    const started = startCommand(['start', '--port', port, '--clock', 'frozen'], { cwd })
    return { started, url: String((await started.line(1)).url) }
  }
  const first = await start('0')
  const env = { SANDBOX_BASE_URL: first.url }
  const guarded = receiver.url.replace('//', '//ada:of-the-handler@')
  const listening = startHere(['listen', '--forward-to', guarded], { env })
  const shown = receiver.url.replace('//', '//[redacted]@')
  expect(await listening.line(1)).toMatchObject({ type: 'ready', targets: [{ url: shown }] })
  const add = (n: number) => sandboxCommand(['contacts', 'create', '--email', `n${n}@example.com`], { env })
  await add(1)
  await receiver.until(1)
  first.started.child.kill('SIGKILL')
  await first.started.ended
  await start(new URL(first.url).port)
  await add(2)
  const received = await receiver.until(2)
  expect(received.map(({ event }) => event.data.email)).toEqual(['n1@example.com', 'n2@example.com'])
  expect(await listening.line(3)).toMatchObject({
    type: 'event',
    event: 'contact.created',
    delivered: true,
    status: 200,
  })
  listening.stop('SIGINT')
  expect(await listening.ended).toBe(0)
  expect(await listening.line(4)).toMatchObject({ type: 'stopped', forwarded: 2, parked: 0 })
})

test('listen signs with the secret of the world that replaces the one of its start', async () => {
  await using receiver = await startReceiver()
  const start = async (port: string, seed: string) => {
    const started = startHere(['start', '--memory', '--port', port, '--clock', 'frozen', '--seed', seed])
    return { started, url: String((await started.line(1)).url) }
  }
  const first = await start('0', 'one')
  const env = { SANDBOX_BASE_URL: first.url }
  const listening = startHere(['listen', '--forward-to', receiver.url], { env })
  await listening.line(1)
  first.started.stop('SIGTERM')
  await first.started.ended
  await start(new URL(first.url).port, 'two')
  await sandboxCommand(['contacts', 'create', '--email', 'ada@example.com'], { env })
  const [{ body, headers }] = (await receiver.until(1)) as [Received]
  const secret = (await sandboxCommand(['listen', '--print-secret'], { env })).stdout.trim()
  expect(verifySignature(body, headers['x-service-signature'], secret)).toBe(true)
})

test('the secret can be printed alone, for a script', async () => {
  await using sandbox = await createSandbox()
  const { secret } = await sandbox.client.events.secret()
  const got = await sandboxCommand(['listen', '--print-secret'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(got).toMatchObject({ code: 0, stdout: `${secret}\n` })
})

test('without a target, listen only prints the events', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['listen', '--events', 'contact.*'], {
    tty: true,
    env: { SANDBOX_BASE_URL: sandbox.url },
    onOutput(text, stop) {
      if (text.includes('following')) void sandbox.client.contacts.create({ email: 'ada@example.com' })
      if (text.includes('contact.created')) stop('SIGINT')
    },
  })
  expect(got.code).toBe(0)
  expect(got.stdout).toMatch(/contact\.created\s+c_/)
  expect(got.stdout).toMatch(/stopped after event 1;/)
})

test('a handler that answers 401 gets a hint about the signature, once', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer(401)
  let count = 0
  const got = await sandboxCommand(['listen', '--forward-to', receiver.url, '--retries', '0'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
    onOutput(text, stop) {
      if (text.includes('"ready"'))
        for (const n of [1, 2]) void sandbox.client.contacts.create({ email: `n${n}@example.com` })
      if (text.includes('"event"') && ++count === 2) stop('SIGINT')
    },
  })
  const hints = got.stderr.split('\n').filter((line) => line.includes('"hint"'))
  expect(hints).toHaveLength(1)
  expect(hints[0]).toContain('raw body')
  expect(got.lines.at(-1)).toMatchObject({ type: 'stopped', forwarded: 0, parked: 2 })
})

test('a service that is not a sandbox has no log to follow', async () => {
  const server = createServer((_, res) => res.writeHead(404).end())
  const baseUrl = await urlOf(server)
  const got = await sandboxCommand(['listen', '--base-url', baseUrl])
  expect(got).toMatchObject({ code: 3, error: { hint: expect.stringContaining('webhooks create') } })
})

test('contradictory options are refused', async () => {
  const codeOf = async (...argv: string[]) => (await sandboxCommand(['listen', ...argv])).code
  expect(await codeOf('--forward-to', 'ftp://example.com')).toBe(2)
  expect(await codeOf('--forward-to', 'ht!tp://localhost:3000')).toBe(2)
  expect(await codeOf('--forward-to', 'localhost:3000/a hook')).toBe(2)
  expect(await codeOf('--forward-to', 'messages=3000')).toBe(2)
  expect(await codeOf('--forward-to', 'message*=3000/hook')).toBe(2)
  expect(await codeOf('--where', 'data.x > 3')).toBe(2)
  expect(await codeOf('--secret', 's', '--header', 'no colon')).toBe(2)
  expect(await codeOf('--retries', 'many')).toBe(2)
})

test('an event that your server refuses is parked with its answer and the command that replays it', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer({ status: 500, body: `TypeError: \u001b[31mno such user\n${'x'.repeat(5_000)}` })
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const listen = (tty: boolean) =>
    sandboxCommand(['listen', '--forward-to', receiver.url, '--retries', '0', '--since', 'start'], {
      tty,
      env,
      onOutput(text, stop) {
        if (text.includes('contact.created')) stop('SIGINT')
      },
    })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const { lines } = await listen(false)
  const { id } = (await sandbox.client.events.list()).events[0]!
  const replay = `sandbox events replay ${id} --to ${receiver.url}`
  expect(lines).toMatchObject([
    { type: 'ready', policy: expect.stringContaining('parked') },
    { type: 'event', id, delivered: false, parked: true, status: 500, replay },
    { type: 'stopped', forwarded: 0, parked: 1 },
  ])
  expect(String(lines[1]!.answer).length).toBeLessThan(400)
  const { stdout } = await listen(true)
  expect(stdout).toContain('after 1 attempt without 2xx an event is parked')
  expect(stdout).toContain(`500; parked`)
  expect(stdout).toContain('TypeError: ␛[31mno such user xxx')
  expect(stdout).toContain(`\n  ${replay}\n`)
})

test('each target gets only the events selected for it', async () => {
  await using sandbox = await createSandbox()
  await using created = await startReceiver()
  await using all = await startReceiver()
  await using none = await startReceiver()
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com', first_name: 'Ada' })
  await sandbox.client.contacts.create({ email: 'bea@example.com' })
  await sandbox.client.contacts.delete(id)
  let count = 0
  const argv = ['listen', '--since', 'start', '--not', 'contact.updated', '--where', `data.contact_id=${id}`]
  const to = [`contact.created=${created.url}`, all.url, `email.*,message.read=${none.url}`]
  const got = await sandboxCommand(
    [...argv, ...to.flatMap((one) => ['--forward-to', one]), '--header', 'X-Team: shop'],
    {
      env: { SANDBOX_BASE_URL: sandbox.url },
      onOutput(text, stop) {
        if (text.includes('"event"') && ++count === 3) stop('SIGINT')
      },
    },
  )
  expect(got.code).toBe(0)
  const names = ({ received }: typeof all) => received.map(({ event }) => event.event)
  expect(names(created)).toEqual(['contact.created'])
  expect(names(all)).toEqual(['contact.created', 'contact.deleted'])
  expect(names(none)).toEqual([])
  expect(all.received[0]!.headers).toMatchObject({ 'x-team': 'shop' })
})

test('a misspelt name of a target is refused', async () => {
  await using sandbox = await createSandbox()
  const refused = await sandboxCommand(['listen', '--forward-to', 'message.deliverd=3000', '--forward-to', '3001'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(refused).toMatchObject({ code: 2, error: { message: expect.stringContaining('message.delivered') } })
})

test('--write-env replaces the secret in a file that only its user can read', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const file = join(cwd, '.env')
  await writeFile(file, 'A=1\nSANDBOX_WEBHOOK_SECRET=old\nB=$2', { mode: 0o644 })
  const write = (secret: string) =>
    sandboxCommand(['listen', '--write-env', '.env', '--print-secret', '--secret', secret], {
      cwd,
      env: { SANDBOX_BASE_URL: sandbox.url },
    })
  expect(await write('a $HOME "b" \\')).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toBe('A=1\nSANDBOX_WEBHOOK_SECRET=\'a $HOME "b" \\\'\nB=$2')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { parsed } = await readEnv(file)
  expect(parsed.SANDBOX_WEBHOOK_SECRET).toBe('a $HOME "b" \\')
  // Of two lines the last one counts, and a shell passes on only what is exported.
  await writeFile(file, '#SANDBOX_WEBHOOK_SECRET=0\nexport SANDBOX_WEBHOOK_SECRET=1\r\nSANDBOX_WEBHOOK_SECRET = 2\n')
  expect(await write('a $HOME "b" \\')).toMatchObject({ code: 0 })
  const line = `SANDBOX_WEBHOOK_SECRET='a $HOME "b" \\'`
  expect(await readFile(file, 'utf8')).toBe(`#SANDBOX_WEBHOOK_SECRET=0\nexport ${line}\r\n${line}\n`)
  expect(await write(`both ' and "`)).toMatchObject({ code: 2 })
  // A rename would take /dev/null from the whole machine.
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  const refused = await sandboxCommand(['listen', '--write-env', 'pipe', '--print-secret'], {
    cwd,
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(refused).toMatchObject({ code: 2, error: { message: expect.stringContaining('pipe is') } })
  expect(await readFile(file, 'utf8')).toContain('$HOME')
  // The option's other name works wherever Node does not take it as its own: in a running process, and where the file exists.
  const again = startCommand(
    ['listen', '--env-file', '.env', '--print-secret', '--secret', 'new', '--base-url', sandbox.url],
    { cwd },
  )
  expect(await again.ended).toBe(0)
  expect(await readFile(file, 'utf8')).toContain('SANDBOX_WEBHOOK_SECRET=new')
})

/** As Node reads such a file. */
async function readEnv(file: string) {
  const { parseEnv } = await import('node:util')
  return { parsed: parseEnv(await readFile(file, 'utf8')) }
}

test('a self-signed certificate is reported, and accepted with --insecure', async () => {
  await using sandbox = await createSandbox()
  // It answers like a sandbox, which does not matter here: what matters is TLS.
  await using secure = await startService({ of: sandbox, tls: true })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const listen = (...more: string[]) =>
    sandboxCommand(['listen', '--forward-to', secure.url, '--retries', '0', '--since', 'start', ...more], {
      env: { SANDBOX_BASE_URL: sandbox.url },
      onOutput: (text, stop) => void (text.includes('"event"') && stop('SIGINT')),
    })
  const refused = await listen()
  expect(refused.lines[1]).toMatchObject({ delivered: false, status: null })
  expect(refused.stderr).toContain('--insecure')
  expect(secure.requests).toHaveLength(0)
  const accepted = await listen('--insecure')
  expect(accepted.lines[1]).toMatchObject({ status: 404 })
  expect(accepted.stderr).toContain('no certificate is checked."')
  expect(secure.requests[0]).toMatchObject({ method: 'POST', body: (await sandbox.client.events.show('1')).body })
})
