import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { answerOf, type Running, running, type Sandbox } from './command.ts'

const PHONE = '+491713920000'

/** Plays a user's first day, which shows anything that is packed wrong. */
export async function tellStory(sandbox: Sandbox, version: string): Promise<void> {
  assert.match(String(await answerOf(sandbox, '--version')), lineOf(version))
  assert.match(String(await answerOf(sandbox, '--help')), /Start with these commands:\n +start .*/)
  assert.match(String(await answerOf(sandbox, '--licenses')), /^express \d.*\(MIT\)$/m)
  const heard = await receiver()
  const first = await running(sandbox, 'start', '--port', '0')
  const second = await running(sandbox, 'start', '--port', '0', '--memory')
  await talk(sandbox, first, heard)
  await talk(sandbox, second, heard)
  await read(String(first.first.url))
  assert.equal(await second.stop(), 0)
  assert.equal(await first.stop(), 0)
  await again(sandbox)
  heard.close()
}

const lineOf = (version: string) =>
  new RegExp(
    `^messaging-sandbox ${version} \\([0-9a-f]{7,}(-dirty)?\\) node v\\d+\\.\\d+\\.\\d+ sqlite 3\\.\\d+\\.\\d+\\n$`,
  )

/** Follows a message from the send to its webhook and to the relay. */
async function talk(sandbox: Sandbox, emulator: Running, heard: Receiver) {
  const to = ['--base-url', String(emulator.first.url)]
  await answerOf(sandbox, 'webhooks', 'create', '--url', `${heard.url}/hook`, '--events', 'message.*', ...to)
  const relay = await running(sandbox, 'listen', '--forward-to', `${heard.url}/relayed`, ...to)
  const sent = (await answerOf(sandbox, 'send', PHONE, '--text', 'Grüße', ...to)) as { message_id: string }
  await answerOf(sandbox, 'messages', 'watch', sent.message_id, '--until', 'read', ...to)
  for (const path of ['/hook', '/relayed']) await heard.until(path, sent.message_id, 'message.read')
  assert.equal(await relay.stop(), 0)
  const events = JSON.stringify(await answerOf(sandbox, 'events', 'list', ...to))
  assert.match(events, /message\.delivered/)
}

/** Reads the pages and their viewer, which are files beside the code. */
async function read(url: string) {
  for (const [path, bytes] of Object.entries({
    '/docs': 200,
    '/docs/swagger-ui-bundle.js': 1e6,
    '/openapi.json': 1e5,
  })) {
    const answer = await fetch(url + path)
    assert.equal(answer.status, 200, path)
    assert.ok((await answer.text()).length > bytes, path)
  }
}

/** Checks that a restart keeps the data on disk. */
async function again(sandbox: Sandbox) {
  const emulator = await running(sandbox, 'start', '--port', '0')
  const kept = JSON.stringify(await answerOf(sandbox, 'messages', 'list', '--base-url', String(emulator.first.url)))
  assert.match(kept, /"msg_/)
  assert.equal(await emulator.stop(), 0)
}

interface Receiver {
  url: string
  /** Resolves when an event of a message has come to a path. */
  until(path: string, messageId: string, type: string): Promise<void>
  close(): void
}

async function receiver(): Promise<Receiver> {
  const come: string[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      come.push(`${request.url} ${body}`)
      response.end()
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { address, port } = server.address() as AddressInfo
  assert.equal(isIP(address), 4)
  return {
    url: `http://127.0.0.1:${port}`,
    until: (path, messageId, type) =>
      new Promise((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error(`No ${type} of ${messageId} has come to ${path}.`)), 20_000)
        const look = () => {
          if (!come.some((text) => [`${path} `, messageId, type].every((part) => text.includes(part)))) return
          waiting.delete(look)
          clearTimeout(limit)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: () => server.close(),
  }
}
