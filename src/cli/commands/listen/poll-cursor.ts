import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '../../../http/sleep.ts'
import type { AnnouncedEvents, MessageStep, SeenMessages } from '../../../relay/message-log.ts'
import { jsonOr } from '../../../words/json.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../../world/storage/private.ts'
import { configFolder } from '../../process/config-folder.ts'
import { misconfigured, usage } from '../../process/exit.ts'
import { releaseLock, takeLock } from '../../process/file-lock.ts'
import type { Session } from '../../session/session.ts'

export interface PollCursor extends SeenMessages {
  /** Every target has dealt with the event. */
  dealtWith(step: MessageStep): void
  close(): void
}

const NAME = /^[\w.-]{1,64}$/
/** The file is rewritten after this number of lines. */
const MAX_LINES = 100_000
const LOOK_EVERY_MS = 250

/**
 * Opens the cursor of this name at this service, for this key. It belongs to one process at a time: `waits` receives its owner, and
 * it is waited for.
 */
export async function openCursor(
  { io, endpoint: { baseUrl, apiKey } }: Session,
  name: string,
  waits: (pid: number) => void,
): Promise<PollCursor> {
  if (!NAME.test(name)) throw usage('--cursor must be 1 to 64 letters, digits, "_", "." or "-".')
  const folder = configFolder(io)
  if (folder === undefined)
    throw misconfigured('There is no folder to keep a cursor in: neither HOME nor XDG_CONFIG_HOME is set.')
  const account = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex').slice(0, 16)
  const file = join(folder, 'cursors', `${name}-${account}`)
  naming(file, 'written', () => makePrivateFolder(join(folder, 'cursors')))
  let isReported = false
  const lock = `${file}.lock`
  const claim = () => naming(lock, 'written', () => takeLock(lock))
  for (let holder = claim(); holder !== undefined; holder = claim()) {
    if (!isReported) waits(holder)
    isReported = true
    await sleep(LOOK_EVERY_MS, io.signal)
  }
  try {
    return cursorIn(`${file}.ndjson`, () => releaseLock(lock))
  } catch (error) {
    releaseLock(lock)
    throw error
  }
}

/** Lines are added as things happen, the last of a message holds; a line that a kill cut off is ignored. */
function cursorIn(file: string, release: () => void): PollCursor {
  const kept = linesIn(file)
  const announced = new Map(kept)
  /** Events of a message that were dealt with before an earlier one. */
  const ahead = new Map<string, Set<number>>()
  let lines = 0
  const rewrite = () => {
    lines = 0
    naming(file, 'written', () => {
      writeFileSync(`${file}.new`, [...announced].map(lineOf).join(''), { mode: PRIVATE_FILE, flush: true })
      renameSync(`${file}.new`, file)
    })
  }
  const put = (entries: readonly (readonly [string, AnnouncedEvents])[]) => {
    for (const [id, one] of entries) announced.set(id, one)
    lines += entries.length
    if (lines > MAX_LINES) rewrite()
    else naming(file, 'written', () => appendFileSync(file, entries.map(lineOf).join(''), { mode: PRIVATE_FILE }))
  }
  if (kept) rewrite()
  return {
    kept,
    put,
    forget: (id) => void announced.delete(id),
    dealtWith({ message, nth, isLast, isOpen }) {
      const done = ahead.get(message) ?? new Set()
      ahead.set(message, done.add(nth))
      let { count } = announced.get(message) ?? { count: 0 }
      while (done.delete(count + 1)) count++
      if (done.size === 0) ahead.delete(message)
      put([[message, { count, isOpen: isOpen || !isLast || count < nth }]])
    },
    close: release,
  }
}

const lineOf = ([id, { count, isOpen }]: readonly [string, AnnouncedEvents]) =>
  `${JSON.stringify([id, count, isOpen ? 1 : 0])}\n`

function linesIn(file: string): ReadonlyMap<string, AnnouncedEvents> | undefined {
  if (!existsSync(file)) return undefined
  const text = naming(file, 'read', () => readFileSync(file, 'utf8'))
  const completeLines = text.slice(0, text.lastIndexOf('\n') + 1)
  const entries = completeLines
    .split('\n')
    .flatMap((line, i) => (line === '' ? [] : [entryIn(line, `${file}:${i + 1}`)]))
  return new Map(entries)
}

/** Without the line, events of its message would be lost or repeated in silence. */
function entryIn(line: string, place: string): [string, AnnouncedEvents] {
  const entry = jsonOr(line, undefined)
  const [id, count, isOpen] = Array.isArray(entry) ? entry : []
  if (typeof id === 'string' && Number.isInteger(count)) return [id, { count, isOpen: isOpen === 1 }]
  throw misconfigured(
    `${place} is not a line of a cursor.`,
    'Correct the file, or remove it: the cursor then begins with the events from now on.',
  )
}

/** Turns an error of the system into one that names the file. */
function naming<T>(file: string, what: 'read' | 'written', work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw unusable(file, what, error)
  }
}

const unusable = (file: string, what: 'read' | 'written', error: unknown) =>
  misconfigured(`The cursor ${file} cannot be ${what}: ${(error as Error).message}.`)
