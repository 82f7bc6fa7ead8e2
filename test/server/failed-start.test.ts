import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { folder } from '../folder.ts'

test('a start that fails while it already listens leaves its port and its folder free', async () => {
  const options = { world: await loadWorldFile('default'), folder: await folder(), port: await freePort() }
  const start = () => startEmulator({ ...options, onFault: (error) => Promise.reject(error) })
  const starting = start()
  // The folder is locked by now, and this file is written once the server listens.
  const owner = join(options.folder, 'owner.json')
  mkdirSync(join(owner, 'in the way'), { recursive: true })
  await expect(starting).rejects.toThrow('owner.json')
  rmSync(owner, { recursive: true })
  const again = await start()
  expect(again.port).toBe(options.port)
  await again.stop()
})

test('the folder of a shared sandbox is opened by a shared one only', async () => {
  const options = { world: await loadWorldFile('default'), folder: await folder(), port: 0, onFault: () => {} }
  await (await startEmulator({ ...options, shared: true })).stop()
  await expect(startEmulator(options)).rejects.toThrow('is that of a shared sandbox. Start with --shared')
  await (await startEmulator({ ...options, shared: true })).stop()
})
