import { expect, test, vi } from 'vitest'
import { nouns } from '../../src/registry/nouns.ts'
import { startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import type { WorldFile } from '../../src/world/file/world-file.ts'
import { Worlds } from '../../src/world/worlds/worlds.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const onFault = (error: unknown) => {
  throw error
}

/** The default world as in the package, with its prebuilt image. */
async function bakedWorld(): Promise<WorldFile> {
  const file = await loadWorldFile('default')
  const worlds = new Worlds({ file, nouns: async () => nouns, clock: { mode: 'frozen' }, onFault })
  return { ...file, image: await worlds.buildImage() }
}

test('scheduled work continues after a start without any request', async () => {
  const data = await folder()
  const sandbox = await createSandbox({ data })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.stop()
  const emulator = await startEmulator({
    world: await bakedWorld(),
    folder: data,
    port: 0,
    clock: { mode: 'auto' },
    onFault,
  })
  const { driver } = emulator.worlds.get('default')
  expect(driver.nextDueAt()).toBeDefined()
  // The turn of the month remains, because the clock does not jump to it.
  await vi.waitFor(() => expect(driver.nextDueAt()).toBe(Date.parse('2026-02-01T00:00Z')), 10_000)
  await emulator.stop()
})

test('concurrent first requests are all answered, even for different keys', async () => {
  const emulator = await startEmulator({ world: await bakedWorld(), port: 0, clock: { mode: 'frozen' }, onFault })
  const as = (apiKey: string) => ({ url: emulator.url, apiKey })
  const answers = await Promise.all([
    ...['default', 'other', 'default'].map((name) =>
      ask(as(`sk_sandbox_${name}`), 'POST', '/v1/messages', { body: { ...rcsText, to: phones.readsAll } }),
    ),
    ask(as('sk_sandbox_default'), 'GET', '/_sandbox/health'),
    ask(as('sk_sandbox_default'), 'GET', '/v1/nothing'),
    ask(as('nobody'), 'GET', '/v1/messages'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 401])
  await emulator.stop()
})

test('a stop directly after the start succeeds, and so does a stop with pending requests', async () => {
  const world = await bakedWorld()
  const first = await startEmulator({ world, port: 0, onFault })
  await first.stop()
  const second = await startEmulator({ world, port: 0, onFault })
  const waiting = ask({ url: second.url, apiKey: 'sk_sandbox_default' }, 'GET', '/_sandbox/health')
  expect((await waiting).status).toBe(200)
  await second.stop()
})

test('nouns that failed to load are loaded again at the next use', async () => {
  let isThere = false
  let reads = 0
  const worlds = new Worlds({
    file: await bakedWorld(),
    nouns: async () => {
      reads++
      if (isThere) return nouns
      throw new Error('not there')
    },
    onFault,
  })
  await worlds.prepare()
  expect(worlds.get('default').now()).toBeGreaterThan(0)
  expect(reads).toBe(0)
  const both = await Promise.allSettled([worlds.loadNouns(), worlds.loadNouns()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(reads).toBe(1)
  isThere = true
  await Promise.all([worlds.loadNouns(), worlds.loadNouns()])
  expect(reads).toBe(2)
  expect(worlds.loadNouns()).toBeUndefined()
  await worlds.close()
})
