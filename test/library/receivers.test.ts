import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sign } from '../../src/http/signature.ts'
import { parseEvent, verifySignature } from '../../src/receiving/index.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'

const secret = 'whsec_of-the-receivers'
const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/receivers/${name}`, import.meta.url))

interface Running {
  url: string
  /** The ids that it reports as handled, in order. */
  handled: string[]
}

/** A program that prints its port in the first line, and each handled event in another. */
async function startProgram(program: string, file: string): Promise<Running> {
  const env = { ...process.env, PORT: '0', SANDBOX_WEBHOOK_SECRET: secret }
  const child: ChildProcess = spawn(program, [fixture(file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout! })
  const [first] = (await once(lines, 'line')) as [string]
  const handled: string[] = []
  lines.on('line', (line) => handled.push(line))
  return { url: `http://127.0.0.1:${first.replace('port ', '')}/hook`, handled }
}

type Handler = (request: Request) => Response | Promise<Response>

/** A Fetch API handler behind a server, as its framework runs it. */
async function startHandler(load: () => Promise<Handler>): Promise<Running> {
  vi.stubEnv('SANDBOX_WEBHOOK_SECRET', secret)
  const handled: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void handled.push(String(line)))
  const handler = await load()
  const server: Server = createServer(async (req, res) => {
    const body = Readable.toWeb(req) as ReadableStream
    const headers = Object.entries(req.headers) as [string, string][]
    const answer = await handler(
      new Request(`http://receiver${req.url}`, { method: 'POST', headers, body, duplex: 'half' }),
    )
    res.writeHead(answer.status).end()
  })
  return { url: `${await urlOf(server)}/hook`, handled }
}

const PROGRAMS: Record<string, [program: string, file: string]> = {
  'node:http': [process.execPath, 'node-http.mjs'],
  Express: [process.execPath, 'express.mjs'],
  Fastify: [process.execPath, 'fastify.mjs'],
  "Python's standard library": ['python3', 'python_http.py'],
}

const HANDLERS: Record<string, () => Promise<Handler>> = {
  Hono: async () => (await import(fixture('hono.mjs'))).default.fetch,
  'a route handler of Next.js': async () => (await import(fixture('next-route.mjs'))).POST,
}

const eventOf = (n: number, timestamp = '2026-01-01T00:00:00.000Z') => {
  const id = `evt_00000000-0000-4000-8000-00000000000${n}`
  const data = { message_id: 'msg_1', text: 'Grüße ✓', delivered_at: timestamp }
  return { id, body: JSON.stringify({ id, event: 'message.delivered', timestamp, data }) }
}

async function post(url: string, body: string, signature?: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json', ...(signature ? { 'X-Service-Signature': signature } : {}) }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

async function takesWhatIsSignedOnce({ url, handled }: Running) {
  const first = eventOf(1)
  expect(await post(url, first.body, sign(secret, first.body))).toBe(204)
  // Tampered with, signed by another, not signed.
  expect(await post(url, first.body.replace('msg_1', 'msg_2'), sign(secret, first.body))).toBe(401)
  expect(await post(url, first.body, sign('whsec_of-another', first.body))).toBe(401)
  expect(await post(url, first.body)).toBe(401)
  // The same again, as after an answer that got lost, and one that waited for a day.
  expect(await post(url, first.body, sign(secret, first.body))).toBe(204)
  const late = eventOf(2, '2025-12-30T00:00:00.000Z')
  expect(await post(url, late.body, sign(secret, late.body))).toBe(204)
  const expected = [first, late].map(({ id }) => `handled ${id} message.delivered`)
  await expect.poll(() => handled).toEqual(expected)
}

async function survivesClosedConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await once(socket, 'connect')
  // The server reads the beginning of the body first.
  await sleep(200)
  socket.destroy()
}

async function accepts250AtOnce(url: string) {
  const { body } = eventOf(1)
  const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': sign(secret, body) }
  const answers = Array.from({ length: 250 }, () => fetch(url, { method: 'POST', headers, body }))
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([204]))
}

test.each(Object.entries(HANDLERS))('%s takes what is signed once, also late, and nothing else', async (_, load) => {
  await takesWhatIsSignedOnce(await startHandler(load))
})

test.each(Object.entries(PROGRAMS))(
  '%s takes what is signed once, also late, survives a connection that is closed in a body, and accepts 250 events at once',
  async (_, [program, file]) => {
    const running = await startProgram(program, file)
    await takesWhatIsSignedOnce(running)
    await survivesClosedConnection(running.url)
    await accepts250AtOnce(running.url)
  },
)

describe('verifySignature', () => {
  const body = '{"id":"evt_1"}'

  test('accepts text and bytes, and any of several secrets during a rotation', () => {
    expect(verifySignature(body, sign(secret, body), secret)).toBe(true)
    expect(verifySignature(new TextEncoder().encode(body), sign(secret, body), ['whsec_new', secret])).toBe(true)
    const { buffer } = new TextEncoder().encode(body)
    expect(verifySignature(buffer, sign(secret, body), secret)).toBe(true)
    expect(parseEvent(new TextEncoder().encode('{"id":"evt_1","event":"message.read","data":{}}').buffer).id).toBe(
      'evt_1',
    )
    expect(verifySignature(body, sign('whsec_old', body), ['whsec_new', secret])).toBe(false)
    for (const header of [undefined, null, '', 'sha256=', sign(secret, `${body} `), [sign(secret, body)]])
      expect(verifySignature(body, header, secret)).toBe(false)
  })

  test('refuses a secret that is not set, and a body that has been parsed', () => {
    for (const none of ['', [], ['whsec_1', '']])
      expect(() => verifySignature(body, sign('', body), none)).toThrow('The secret is empty')
    expect(() => verifySignature(JSON.parse(body), sign(secret, body), secret)).toThrow('as received')
  })

  test('accepts what the sandbox sends, and parseEvent distinguishes its events', async () => {
    await using sandbox = await createSandbox()
    await using receiver = await startReceiver()
    await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'], secret })
    await sandbox.client.contacts.create({ phone: '+4915112345678' })
    const [{ body, headers }] = (await receiver.until(1)) as [(typeof receiver.received)[0]]
    expect(verifySignature(body, headers['x-service-signature'], secret)).toBe(true)
    const event = parseEvent(body)
    expect(event.event === 'contact.created' && event.data.phone).toBe('+4915112345678')
  })

  test('comes in files of less than 10 kB that need nothing of the emulator', () => {
    for (const file of ['webhooks.js', 'webhooks.cjs']) {
      const text = readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8')
      expect(text.length).toBeLessThan(10_000)
      expect(text).not.toMatch(/better-sqlite3|from"\.|require\("\./)
    }
  })
})

test.each(['', 'x', 'null', '[]', '{"id":1}', '{"id":"evt_1","event":"message.read","data":null}'])(
  'parseEvent refuses %j, which is not an event',
  (body) => {
    expect(() => parseEvent(body)).toThrow('The body is not an event')
  },
)
