import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/index.ts'
import { sqliteRegistry } from '../../../src/world/tenants/sqlite-registry.ts'
import { folder } from '../../folder.ts'
import { BIN } from '../../paths.ts'

const TOKEN = 'ct_admin_0123456789abcdef0123456789'
/** A disk of its own, which ends with its process. */
const ON_SMALL_DISK = 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"'

const canMount = spawnSync('unshare', ['-m', 'sh', '-c', ON_SMALL_DISK, '/mnt', 'true']).status === 0

/** Writes a file until nothing more fits: the sandbox writes, too. */
function fill(file: string) {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4096, 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

test.skipIf(!canMount)('on a full disk keys are still revoked and namespaces deleted', async () => {
  const dir = await folder()
  const start = [BIN, 'start', '--shared', '--data', join(dir, 'data'), '--port', '0', '--json']
  const child = spawn('unshare', ['-m', 'sh', '-c', ON_SMALL_DISK, dir, process.execPath, ...start], {
    env: { ...process.env, SANDBOX_CONTROL_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const { namespaces } = createClient({ baseUrl: JSON.parse(line).url, controlToken: TOKEN })
  for (const name of ['a', 'b']) await namespaces.create(name)

  fill(join(`/proc/${child.pid}/root`, dir, 'full'))
  await expect(namespaces.create('c')).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(await namespaces.revoke('a', {})).toMatchObject({ revoked_keys: 1 })
  expect(await namespaces.delete('b')).toMatchObject({ deleted: true })
})

test('a link in place of the space that is kept for a full disk is not followed', async () => {
  const dir = await folder()
  const target = join(await folder(), 'target')
  symlinkSync(target, join(dir, 'reserve'))
  const registry = sqliteRegistry(dir)
  onTestFinished(() => registry.close())
  const limits = { messages: null, storageBytes: null, sendsPerMinute: null }
  await expect(registry.create({ namespace: 'a', expiresAt: null, limits }, [])).rejects.toThrow('a symbolic link')
  expect(existsSync(target)).toBe(false)
})
