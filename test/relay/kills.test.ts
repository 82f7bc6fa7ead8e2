import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Refusal } from '../../src/client/call.ts'
import { createClient } from '../../src/client/client.ts'
import { logAfter } from '../../src/client/pages.ts'
import { type Running, startCommand } from '../cli/process.ts'
import { folder } from '../folder.ts'
import { startReceiver } from '../receiver.ts'

const KILLS = 9
/** The most events between two kills, and the time from the last of them to the kill, in ms. */
const MAX_EVENTS = 12
const MAX_MS = 25
const CONTACTS = 4
/** The receiver refuses one of this number of requests. */
const REFUSED = 31

/** Repeatable numbers from 0 to 1. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

test.each([1])(
  'after kills at any time, each event arrives, and those of one contact in order (seed %i)',
  async (seed) => {
    const next = numbers(seed)
    const below = (most: number) => Math.floor(next() * most)
    const cwd = await folder()
    await using receiver = await startReceiver()
    receiver.answer((_, n) => (n % REFUSED === 0 ? 500 : 200))
    let port = '0'
    const startEmulator = async () => {
      const emulator = startCommand(['start', '--port', port], { cwd })
      const { url } = await emulator.line(1)
      port = new URL(String(url)).port
      return emulator
    }
    const startListening = async () => {
      const order = ['log', 'message'][below(2)]!
      const argv = ['listen', '--forward-to', receiver.url, '--cursor', 'dev', '--order', order, '--since', 'start']
      const listening = startCommand(argv, { env: { SANDBOX_BASE_URL: `http://localhost:${port}` } })
      await listening.line(1)
      return listening
    }
    let emulator = await startEmulator()
    let listening = await startListening()
    const client = createClient({ baseUrl: `http://localhost:${port}`, apiKey: 'sk_sandbox_default' })
    const contacts = await Promise.all(
      Array.from({ length: CONTACTS }, (_, n) => client.contacts.create({ email: `n${n}@example.com` })),
    )
    const written: string[] = []
    let isOver = false
    const writing = (async () => {
      for (let n = 1; !isOver; n++) {
        while (written.length > receiver.received.length + 20 && !isOver) await pause(1)
        const { id } = contacts[n % CONTACTS]!
        for (;;)
          try {
            await client.contacts.update(id, { external_id: `n-${n}` })
            written.push(`${id} n-${n}`)
            break
          } catch (error) {
            if (error instanceof Refusal && error.status < 500) throw error
            await pause(5)
          }
      }
    })()
    const kill = async (running: Running) => {
      running.child.kill('SIGKILL')
      await running.ended
    }
    for (let killed = 0; killed < KILLS; killed++) {
      await receiver.until(receiver.received.length + 1 + below(MAX_EVENTS))
      await pause(below(MAX_MS))
      const victims = killed % 3
      await Promise.all([...(victims > 0 ? [kill(emulator)] : []), ...(victims !== 1 ? [kill(listening)] : [])])
      if (victims > 0) emulator = await startEmulator()
      if (victims !== 1) listening = await startListening()
    }
    isOver = true
    await writing
    const { last_seq } = await client.events.list()
    await expect.poll(async () => (await client.events.cursor('dev')).seq).toBe(last_seq)
    const taken = receiver.received.filter((_, i) => (i + 1) % REFUSED !== 0).map(({ event }) => event)
    const names = new Set(taken.map(({ data }) => `${data.contact_id} ${data.external_id}`))
    expect(written.filter((one) => !names.has(one))).toEqual([])
    const log = await Array.fromAsync(logAfter(0, client.events.list, ({ events }) => events))
    const places = new Map(log.map(({ id }, place) => [id, place]))
    expect(new Set(taken.map(({ id }) => id)).size).toBe(log.length)
    for (const { id } of contacts) {
      const firsts = [...new Set(taken.filter(({ data }) => data.contact_id === id).map((event) => event.id))]
      expect(firsts).toEqual(firsts.toSorted((a, b) => places.get(a)! - places.get(b)!))
    }
  },
)
