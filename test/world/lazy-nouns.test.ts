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

/** The default world as the package brings it: with its image, so that nothing has to be made of it. */
async function bakedWorld(): Promise<WorldFile> {
  const file = await loadWorldFile('default')
  const worlds = new Worlds({ file, nouns: async () => nouns, clock: { mode: 'frozen' }, onFault })
  return { ...file, image: await worlds.buildImage() }
}

test('what was left to do goes on after a start, though nobody has asked for anything', async () => {
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
  // The turn of the month remains: nobody waits for it.
  await vi.waitFor(() => expect(driver.nextDueAt()).toBe(Date.parse('2026-02-01T00:00Z')), 10_000)
  await emulator.stop()
})

test('requests that come at once with the first are all answered, also by a world of another key', async () => {
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

test('a stop right after the start ends cleanly, and so does one that requests wait for', async () => {
  const world = await bakedWorld()
  const first = await startEmulator({ world, port: 0, onFault })
  await first.stop()
  const second = await startEmulator({ world, port: 0, onFault })
  const waiting = ask({ url: second.url, apiKey: 'sk_sandbox_default' }, 'GET', '/_sandbox/health')
  expect((await waiting).status).toBe(200)
  await second.stop()
})

test('what cannot be read in is asked for again by whoever needs it next', async () => {
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
