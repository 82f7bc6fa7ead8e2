import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

/** Node's calls to the real file system, in order. */
const calls: [call: string, path: string, to?: string][] = []
const paths = new Map<number, string>()
const { openSync, writeSync, fsyncSync, renameSync } = fs

const watched = {
  openSync(path: string, ...rest: [flags: string]) {
    const fd = openSync(path, ...rest)
    paths.set(fd, path)
    return fd
  },
  writeSync(fd: number, ...rest: [Buffer]) {
    calls.push(['write', paths.get(fd)!])
    return writeSync(fd, ...rest)
  },
  fsyncSync(fd: number) {
    calls.push(['sync', paths.get(fd)!])
    fsyncSync(fd)
  },
  renameSync(from: string, to: string) {
    calls.push(['rename', from, to])
    renameSync(from, to)
  },
}

/** Modules that were loaded before get these functions too. */
function replace(functions: object) {
  Object.assign(fs, functions)
  syncBuiltinESMExports()
}

beforeAll(() => replace(watched))
afterAll(() => replace({ openSync, writeSync, fsyncSync, renameSync }))

/** The renames since the last check, each with the earlier calls on its file and the later calls on its folder. */
function renames() {
  const seen = calls.splice(0)
  return seen.flatMap(([call, from, to], i) => {
    if (call !== 'rename') return []
    const before = seen.slice(0, i).filter(([, path]) => path === from)
    const after = seen.slice(i + 1).filter(([, path]) => path === dirname(to!))
    return [{ to, before: before.map(([name]) => name), after: after.map(([name]) => name) }]
  })
}

const synced = (to: string) => ({ to, before: ['write', 'sync'], after: ['sync'] })

test.skipIf(process.platform === 'win32')(
  "a world's new file is on the disk before it gets its name, and the name is synced afterwards",
  async () => {
    const data = await folder()
    const fileOf = (namespace: string) => join(data, `${namespace}.db`)
    await using sandbox = await createSandbox({ data })
    expect(renames()).toContainEqual(synced(fileOf('default')))
    await sandbox.as('suite').messages.list()
    expect(renames()).toEqual([synced(fileOf('suite'))])
    await sandbox.client.world.reset({ scope: 'all' })
    expect(renames()).toEqual([synced(fileOf('default'))])
    await sandbox.client.snapshots.save({ name: 'one' })
    expect(renames()).toEqual([synced(join(data, 'snapshots', 'one.db'))])
    await sandbox.client.snapshots.restore('one')
    expect(renames()).toEqual([synced(fileOf('default'))])
    await sandbox.client.snapshots.fork('one', { namespace: 'fork' })
    expect(renames()).toEqual([synced(fileOf('fork'))])
  },
)
