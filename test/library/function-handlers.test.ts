import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type RequestHandler } from 'express'
import { describe, expect, test } from 'vitest'
import { connectSandbox } from '../../src/index.ts'
import { verifySignature } from '../../src/receiving/index.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const HEADER = 'x-service-signature'

/** Handlers of applications: a Next.js route and an Express-like handler; each records the events that it has verified. */
function handlers() {
  const heard: string[] = []
  let secret = ''
  const take = (body: string, signature: string | null | undefined) => {
    if (!verifySignature(body, signature, secret)) return 401
    heard.push((JSON.parse(body) as { event: string }).event)
    return 204
  }
  return {
    heard,
    setSecret(next: string) {
      secret = next
    },
    async POST(request: Request, _context: { params: object }) {
      return new Response(null, { status: take(await request.text(), request.headers.get(HEADER)) })
    },
    async node(req: IncomingMessage, res: ServerResponse) {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      res.writeHead(take(Buffer.concat(chunks).toString(), req.headers[HEADER] as string)).end()
    },
  }
}

describe.each(['POST', 'node'] as const)('a function that handles webhooks (%s)', (kind) => {
  test('gets them signed, retried and under faults, without a port', async () => {
    await using sandbox = await createSandbox()
    const shop = handlers()
    const handler = kind === 'POST' ? (request: Request) => shop.POST(request, { params: {} }) : shop.node
    await using receiver = await sandbox.receiver({ handler, events: ['message.queued'], failFirst: 1 })
    shop.setSecret(receiver.secret)
    expect(receiver.url).toMatch(/^https:\/\/function-\d+\.test\/hook$/)
    await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
    await sandbox.settle()
    expect([shop.heard, receiver.deliveries.map(({ status }) => status)]).toEqual([[], [500]])
    await sandbox.clock.advance('1m')
    expect([shop.heard, receiver.events.length]).toEqual([['message.queued'], 1])
    await sandbox.faults.add({ events: ['message.queued'], bad_signature: true, times: 1 })
    await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
    await sandbox.settle()
    expect(receiver.deliveries.at(-1)).toMatchObject({ status: 401, verified: false })
    expect((await sandbox.client.events.deliveries({ limit: 1 })).data[0]!.attempts).toMatchObject([
      { status_code: 401 },
    ])
  })
})

const raw = new WeakMap<IncomingMessage, Buffer>()
const parsers: Record<string, RequestHandler> = {
  'express.raw': express.raw({ type: '*/*' }),
  'express.text': express.text({ type: '*/*' }),
  'express.json with verify': express.json({ verify: (req, _, bytes) => void raw.set(req, bytes) }),
}

test.each(Object.entries(parsers))('an Express app reads the body with %s', async (_, parser) => {
  await using sandbox = await createSandbox()
  const app = express()
  app.post('/hook', parser, (req, res) => {
    res.sendStatus(verifySignature(raw.get(req) ?? req.body, req.get(HEADER), receiver.secret) ? 204 : 401)
  })
  await using receiver = await sandbox.receiver({ handler: app, events: ['contact.created'] })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.settle()
  expect(receiver.deliveries.map(({ status }) => status)).toEqual([204])
})

test('a delivery to a receiver that was stopped fails without the lookup of a name', async () => {
  await using sandbox = await createSandbox()
  const receiver = await sandbox.receiver({ handler: () => new Response(), events: ['*'] })
  const { origin } = new URL(receiver.url)
  await receiver.stop()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.settle()
  const [delivery] = (await sandbox.client.events.deliveries({ limit: 1 })).data
  expect(delivery!.attempts).toMatchObject([
    { status_code: null, error: `${origin} cannot be reached: its receiver was stopped` },
  ])
})

test('a route whose second parameter is not a response is called with a web Request', async () => {
  await using sandbox = await createSandbox()
  const shop = handlers()
  await using receiver = await sandbox.receiver({ handler: shop.POST as (request: Request) => Promise<Response> })
  shop.setSecret(receiver.secret)
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.settle()
  expect(shop.heard).toEqual(['contact.created'])
})

test('a function whose second parameter is outgoing or nodeRes, as of Hono and srvx, is one of Node', async () => {
  await using sandbox = await createSandbox()
  const { node, setSecret } = handlers()
  setSecret('whsec_of-another')
  for (const handler of [
    (incoming: IncomingMessage, outgoing: ServerResponse) => node(incoming, outgoing),
    (nodeReq: IncomingMessage, nodeRes: ServerResponse) => node(nodeReq, nodeRes),
  ]) {
    await using receiver = await sandbox.receiver({ handler })
    await sandbox.client.contacts.create({ email: `${receiver.id}@example.com` })
    await sandbox.settle()
    expect(receiver.deliveries.map(({ status }) => status)).toEqual([401])
  }
})

test('a handler that throws, or returns nothing, is a failed delivery that says so', async () => {
  await using sandbox = await createSandbox()
  const answers = [
    () => {
      throw new Error('the shop is on fire')
    },
    () => undefined as unknown as Response,
    () => Response.error(),
  ]
  await using receiver = await sandbox.receiver({ handler: () => answers.shift()!(), events: ['contact.created'] })
  for (const email of ['ada@example.com', 'bea@example.com', 'cem@example.com'])
    await sandbox.client.contacts.create({ email })
  await sandbox.settle()
  const { lines } = await sandbox.client.evidence.show()
  expect(lines[0]).toContain(`contact.created → 500 from ${receiver.url}, answer: "Error: the shop is on fire"`)
  expect(lines[1]).toMatch(/must return a Response, or name its parameters \(req, res\)\..*\(2 times\)/)
  expect([receiver.deliveries.map(({ status }) => status), receiver.events]).toEqual([[500, 500, 500], []])
  await expect(sandbox.receiver({ handler: 5 as never })).rejects.toThrow('handler: must be a function')
})

test('beside an emulator of another process it has a port', async () => {
  await using emulator = await createSandbox()
  const sandbox = await connectSandbox({ url: emulator.url })
  const shop = handlers()
  await using receiver = await sandbox.receiver({ handler: shop.node })
  shop.setSecret(receiver.secret)
  expect(receiver.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hook$/)
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.settle()
  expect(shop.heard).toEqual(['contact.created'])
})
