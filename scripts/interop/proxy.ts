import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange } from '../../src/http/exchange.ts'
import { sends } from '../../src/service/messages/examples.ts'
import { freePort } from '../free-port.ts'

/** Sends one message of each kind through Prism, which checks requests and answers. */
export async function tryProxy(folder: string, document: string, base: string): Promise<string> {
  const port = await freePort()
  const prism = spawn(
    process.execPath,
    [join(folder, 'node_modules/.bin/prism'), 'proxy', document, base, '--errors', '--port', String(port)],
    { cwd: folder, stdio: 'ignore' },
  )
  try {
    const ask = (method: string, path: string, body?: unknown) =>
      exchange({
        method,
        url: new URL(path, `http://127.0.0.1:${port}`),
        headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
        body: body === undefined ? '' : JSON.stringify(body),
        timeoutMs: 30_000,
      })
    for (let tries = 0; tries < 60; tries++) {
      const answer = await ask('GET', '/v1/billing/balance').catch(() => undefined)
      if (answer) break
      await sleep(500)
    }
    const faults: string[] = []
    for (const [method, path, body] of calls) {
      const { status, body: answer } = await ask(method, path, body)
      // Prism reports a violation of the document by a problem of its own.
      if (answer.toString().includes('stoplight.io/prism/errors'))
        faults.push(`${method} ${path} ${status}: ${answer.toString().slice(0, 400)}`)
    }
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return `${calls.length} calls pass, questions and answers`
  } finally {
    prism.kill()
  }
}

const calls: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ...sends.map((body) => ['POST', '/v1/messages', body] as const),
  ['POST', '/v1/contacts', { email: 'ada@example.com', first_name: 'Ada' }],
  ['GET', '/v1/contacts/magic-50'],
  ['GET', '/v1/contacts/magic-50/consent'],
  ['GET', '/v1/messages?limit=2'],
  ['GET', '/v1/billing/balance'],
  ['GET', '/v1/billing/tier'],
  ['GET', '/v1/billing/usage'],
  ['GET', '/v1/rcs/agents/ag_live_00000000-0000-4000-8000-000000000001'],
  ['GET', '/v1/rcs/agents/ag_live_00000000-0000-4000-8000-000000000001/launch'],
  ['GET', '/v1/campaigns/00000000-0000-4000-8000-000000000101/status'],
  ['POST', '/v1/campaigns/00000000-0000-4000-8000-000000000101/trigger', {}],
  ['POST', '/v1/webhooks', { url: 'http://localhost:9/hook', events: ['message.*'] }],
  ['GET', '/v1/webhooks'],
  ['GET', '/v1/messages/msg_00000000-0000-4000-8000-000000000001'],
]
