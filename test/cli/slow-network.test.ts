import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { holdLimits } from '../machine-clock.ts'
import { phone, phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { startProxy } from '../stand-in/proxy.ts'
import { AUTHORITY, startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

type Network = NonNullable<Parameters<typeof startProxy>[1]>['trickle']

/** A distant service: TLS, a prefix before the interface's paths, and a proxy behind a slow connection. */
async function farAway(trickle: NonNullable<Network>) {
  const sandbox = await createSandbox({ clock: 'auto' })
  const service = await startService({ of: sandbox, tls: true, prefix: '/messaging' })
  const proxy = await startProxy(service.port, { trickle })
  const cwd = await folder()
  const env = {
    HTTPS_PROXY: proxy.url,
    SANDBOX_BASE_URL: 'https://api.service.test/messaging',
    SANDBOX_ALLOW_LIVE: '1',
  }
  return {
    ...{ sandbox, service, cwd },
    run: (line: string, options: Parameters<typeof sandboxCommand>[1] = {}) =>
      sandboxCommand([...line.split(' '), '--ca-file', AUTHORITY], { cwd, env, ...options }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

const SENDER = '--agent ag_live_00000000-0000-4000-8000-000000000001 --message-type MESSAGE --traffic-type TRANSACTION'

test('all commands work through TLS, a proxy, another path and a connection that splits data', async () => {
  await using far = await farAway({ bytes: 211, everyMs: 1 })
  const { sandbox, service, cwd, run } = far
  const sent = await run(`send ${phone(50)} --text Grüße📦 ${SENDER}`)
  expect(sent.code, sent.stderr).toBe(0)
  const id = String(sent.json.message_id)
  expect((await sandbox.client.messages.get(id)).content).toEqual({ text: 'Grüße📦' })
  const came = await run(`expect message.delivered --message ${id}`)
  expect(came.code, came.stderr).toBe(0)
  expect((await run(`wait --message ${id} --status delivered`)).code).toBe(0)

  await writeFile(join(cwd, 'many.csv'), `to,text\n${[51, 52, 53].map((nn) => `${phone(nn)},Hi\n`).join('')}`)
  expect((await run(`send --batch many.csv ${SENDER}`)).error).toMatchObject({ type: 'batch', sent: 3 })
  service.next({ status: 503 }, 'answer lost')
  expect((await run(`send ${phone(54)} --text Once ${SENDER}`)).code).toBe(0)
  const listed = await run('messages list --limit 2 --all --query messages[].to')
  expect(JSON.parse(listed.stdout)).toEqual([54, 53, 52, 51, 50].map(phone))
  expect(new Set(service.requests.map(({ path }) => path.split('?')[0]!.slice(0, 23)))).toEqual(
    new Set(['/messaging/v1/messages', '/messaging/v1/messages/', '/messaging/_sandbox/hea']),
  )
})

test('a listener on a slow connection gets each event once', async () => {
  await using far = await farAway({ bytes: 211, everyMs: 1 })
  await using receiver = await startReceiver()
  for (const nn of [50, 51]) await far.sandbox.client.messages.send({ ...rcsText, to: phone(nn) })
  await far.sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await far.sandbox.clock.advance('1h')
  let reported = 0
  const { code } = await far.run(
    `listen --poll --since start --interval 20ms --forward-to ${receiver.url} --secret s --events message.delivered`,
    { onOutput: (text, stop) => void (text.includes('"event"') && ++reported === 3 && stop('SIGINT')) },
  )
  expect(code).toBe(0)
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(3)
  expect(receiver.received).toHaveLength(3)
})

test('a slowly arriving answer ends at --timeout, and a send reports how to repeat it', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const limit = holdLimits(150)
  const run = async (line: string) => {
    const before = service.dripped
    service.next('dripping')
    const flags = ['--base-url', service.url, '--timeout', '150ms', '--no-retry', '--live']
    const running = sandboxCommand([...line.split(' '), ...flags])
    await expect.poll(() => service.dripped).toBeGreaterThan(before + 1)
    await limit.pass()
    return running
  }
  const read = await run('billing balance')
  expect([read.code, read.error.message]).toEqual([6, expect.stringContaining('150 ms')])
  const send = await run(`send ${phone(50)} --text Once ${SENDER}`)
  expect([send.code, send.error.error]).toEqual([6, 'unanswered'])
  expect(send.error.hint).toContain('--idempotency-key')
  expect((await sandbox.client.messages.list()).messages).toHaveLength(1)
})
