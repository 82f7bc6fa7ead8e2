import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { after, machineMs } from '../machine-time.ts'

/** Pages of the write-ahead log that are copied to the database at once, 2 MiB. */
const CHECKPOINT_PAGES = 1_000
/**
 * The log is only used again from its start after a moment in which all of it is copied. While requests write, the thread does
 * not reach one. From this size on, 60 MiB, a commit therefore copies the last pages itself, as soon as they are few.
 */
const RESTART_PAGES = 30_000
const FEW_PAGES = 200
/** The size at which SQLite copies whatever is left, 120 MiB. */
const MOST_PAGES = 60_000
/** Machine ms between two looks at the log. */
const LOOK_MS = 10
/** Machine ms after which a thread without work ends, because it takes 16 MB. */
const REST_MS = 2_000
/** The longest time that closing waits for the thread, machine ms. */
const LONGEST_COPY_MS = 10_000

/**
 * Copies the write-ahead log of a world to its database in a thread, because each checkpoint waits for the disk three times: a
 * running clock carries an eighth more sends with it (`npm run bench sustained`; docs/decisions/speed-mechanisms.md).
 */
export class Checkpoints {
  readonly #db: Sqlite.Database
  readonly #path: string
  #looking: Sqlite.Statement<[], { log: number; checkpointed: number }> | undefined
  #isByThread = true
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(db: Sqlite.Database, path: string) {
    this.#db = db
    this.#path = path
    this.#copyAt(MOST_PAGES)
  }

  committed() {
    if (!this.#isByThread || machineMs() - this.#lookedAt < LOOK_MS || isCopying()) return
    this.#looking ??= this.#db.prepare('PRAGMA wal_checkpoint(NOOP)')
    const { log, checkpointed } = this.#looking.get()!
    const pages = log - checkpointed
    if (log < RESTART_PAGES) this.#lookedAt = machineMs()
    if (log < RESTART_PAGES && pages < CHECKPOINT_PAGES) return
    if (pages < FEW_PAGES) this.#db.pragma('wal_checkpoint(PASSIVE)')
    else if (!copyInThread(this.#path)) {
      this.#isByThread = false
      this.#copyAt(CHECKPOINT_PAGES)
    }
  }

  /** Waits for the thread: only the last connection to a file deletes its log. */
  closing() {
    if (copied === this.#path) Atomics.wait(copying, 0, 1, LONGEST_COPY_MS)
  }

  #copyAt(pages: number) {
    this.#db.pragma(`wal_autocheckpoint = ${pages}`)
  }
}

/** One for all worlds of the process. */
let thread: Worker | undefined
/** False after a failure. Then commits copy, which is only slower. */
let isThreadUsable = true
/** 1 while the thread copies the log of {@link copied}. */
const copying = new Int32Array(new SharedArrayBuffer(4))
let copied: string | undefined
let keepThread = () => {}

const isCopying = () => Atomics.load(copying, 0) === 1

/** Returns whether it could start. */
function copyInThread(path: string): boolean {
  try {
    if (isThreadUsable) thread ??= startThread()
  } catch {
    isThreadUsable = false
  }
  if (!isThreadUsable) return false
  copied = path
  Atomics.store(copying, 0, 1)
  thread!.postMessage(path)
  keepThread()
  keepThread = after(REST_MS, endThread)
  return true
}

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const Sqlite = require(workerData.sqlite)
parentPort.on('message', (path) => {
  try {
    const db = new Sqlite(path, { fileMustExist: true, timeout: 0 })
    try {
      db.pragma('wal_checkpoint(PASSIVE)')
    } finally {
      db.close()
    }
  } finally {
    Atomics.store(workerData.copying, 0, 0)
    Atomics.notify(workerData.copying, 0)
  }
})`

function startThread(): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  const started = new Worker(THREAD, { eval: true, execArgv: [], workerData: { sqlite, copying } })
  started.unref()
  started.once('error', () => {
    isThreadUsable = false
    Atomics.store(copying, 0, 0)
  })
  return started
}

function endThread() {
  if (isCopying()) return
  void thread?.terminate()
  thread = undefined
}
