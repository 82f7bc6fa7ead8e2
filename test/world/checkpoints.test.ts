import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import workers, { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/index.ts'
import { folder } from '../folder.ts'
import { phone, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { startChild } from './child.ts'

test('a thread copies the write-ahead log of a busy world, and a closed world leaves none', async () => {
  const threads = startedThreads()
  const file = join(await folder(), 'default.db')
  let sent = 0
  {
    await using sandbox = await createSandbox({ data: join(file, '..') })
    using log = open(file)
    while (threads.length === 0 && sent < 2_000) sent += await sendMany(sandbox.client, 1)
    await expect.poll(() => log.copiedPages()).toBeGreaterThan(0)
    expect(threads).toHaveLength(1)
  }
  expect(existsSync(`${file}-wal`)).toBe(false)
  using closed = open(file)
  expect(closed.messages()).toBe(sent)
})

test('a process that cannot start threads copies the log with its commits', async () => {
  const data = await folder()
  const lacking = 'delete process.getBuiltinModule("node:worker_threads").Worker'
  const child = await startChild(data, { nodeFlags: ['--import', `data:text/javascript,${lacking}`] })
  for (let sent = 0; sent < 1_500; ) sent += await sendMany(child.client, 20)
  expect(statSync(join(data, 'default.db-wal')).size).toBeLessThan(4_000_000)
  expect(await child.end('SIGTERM')).toBe(0)
})

/** The threads that are started during the test. */
function startedThreads(): Worker[] {
  const started: Worker[] = []
  workers.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      started.push(this)
    }
  }
  onTestFinished(() => {
    workers.Worker = Worker
  })
  return started
}

async function sendMany(client: Client, length: number): Promise<number> {
  const sends = await Promise.all(Array.from({ length }, () => client.messages.send({ ...rcsText, to: phone(1) })))
  return sends.length
}

/** Opens a world's file as another program does. */
function open(file: string) {
  const db = new Sqlite(file)
  const log = db.prepare<[], { checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
  const messages = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM messages')
  return {
    copiedPages: () => log.get()!.checkpointed,
    messages: () => messages.get()!.count,
    [Symbol.dispose]: () => void db.close(),
  }
}
