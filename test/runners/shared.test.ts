import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { afterAll, vi } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { createSuite } from '../../src/runners/suite.ts'
import { expect, sandboxTest, test } from '../../src/runners/vitest.ts'
import { realTime } from '../../src/world/real-time.ts'
import { folder } from '../folder.ts'
import { agents, channels } from '../magic.ts'
import { close, listen } from '../servers.ts'

/** An application under test has one sandbox with one key. */
const emulator = await createSandbox({ clock: 'auto' })
afterAll(() => emulator.stop())

const { client } = emulator
const connect = { url: emulator.url }
const rcs = { agent_id: agents.multi, message_type: 'MESSAGE', traffic_type: 'AUTHENTICATION' } as const

/** The login of the application, with its one key. */
const login = (to: string, code: number) =>
  client.messages.send({ ...rcs, to, content: { text: `Your code is ${code}.` } })

const shared = sandboxTest({ connect, failures: false })

const suite = createSuite({ connect, failures: false })

test('120 tests at once have a phone of their own each', async () => {
  const opened = await Promise.all(
    Array.from({ length: 120 }, async (_, i) => {
      const world = await suite.open({ title: `user ${i} logs in`, file: `${process.cwd()}/login.spec.ts` })
      return { world, phone: await world.phone(), code: 100_000 + i }
    }),
  )
  await Promise.all(
    opened.map(async ({ world, phone, code }) => {
      const { message_id } = await login(phone.address, code)
      expect(await phone.code({ within: '30s' })).toBe(String(code))
      await expect(phone).toHaveReceived('message.delivered', { message_id, to: phone.address })
      expect((await phone.messages()).map(({ id }) => id)).toEqual([message_id])
      await world.close()
    }),
  )
})

shared('a phone is leased for a test', async ({ phone }) => {
  await login(phone.address, 654_321)
  expect(await phone.code({ within: '30s' })).toBe('654321')
})

shared('an email address is leased too', async ({ email }) => {
  await client.messages.send({ channel_id: channels.email, to: email.address, content: { subject: 'Hi', text: 'x' } })
  await expect(email).toHaveReceived('email.delivered')
})

test('the page of a failed test shows what concerns its addresses, and nothing of its neighbours', async () => {
  const place = await folder()
  const suite = createSuite({ connect, failures: place })
  const world = await suite.open({ title: 'a login fails', file: `${process.cwd()}/login.spec.ts` })
  const [mine, neighbour] = [await world.phone(), await emulator.lease.phone({ consent: true })]
  for (const to of [mine.address, neighbour.address]) await login(to, 555_555)
  for (const to of [mine.address, neighbour.address])
    await client.messages.send({ ...rcs, to, ttl: '60', content: { text: 'x' } }).catch(() => {})
  await mine.waitFor('message.delivered')
  const kept = await world.keep({ message: 'expected 1 to be 2' })
  expect(kept!.remark.match(/Refused in this world: .*ttl/g)).toHaveLength(1)
  const html = await readFile(kept!.page!, 'utf8')
  const data = /<script type="application\/json" id="shown">(.*?)<\/script>/.exec(html)![1]!
  expect(data).toContain(mine.address)
  expect(data).not.toContain(neighbour.address)
  await neighbour.release()
  await world.close()
  expect((await client.leases.list()).leases).toEqual([])
})

test('the teardown of a test whose emulator no longer answers ends within 2 s', async () => {
  let answers = true
  const gate = createServer((req, res) => {
    if (!answers) return
    const { port } = new URL(emulator.url)
    const { url: path, method, headers } = req
    req.pipe(
      request({ port, path, method, headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(res)
      }),
    )
  })
  const suite = createSuite({ connect: { url: await listen(gate) } })
  const world = await suite.open({ title: 'hangs' })
  const phone = await world.phone()
  answers = false
  const waiting = phone.code({ within: '1h' }).catch(() => {})
  // Their sum, because timers may be late.
  let waitedMs = 0
  const { setTimeout } = realTime
  vi.spyOn(realTime, 'setTimeout').mockImplementation((callback, ms) =>
    setTimeout(() => {
      waitedMs += ms
      callback()
    }, ms),
  )
  expect((await world.keep({ message: 'expected 1 to be 2' }))!.remark).toContain('could not be written within 1.5 s')
  await world.close()
  await suite.stop()
  expect(waitedMs).toBeGreaterThan(1_000)
  expect(waitedMs).toBeLessThanOrEqual(2_000)
  await close(gate)
  await waiting
})
