import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { runInThisContext, Script } from 'node:vm'
import { cacheFolder } from '../../src/cli/process/cache-folder.ts'
import { liftLimits, limitMemory } from '../../src/cli/process/limit-memory.ts'
import type * as Emulator from '../../src/server/emulator.ts'
import { makeFolder } from '../../src/world/storage/make-folder.ts'
import type { Place } from './chunks.ts'

/**
 * Loads the chunks of the program that a process needs: compiled on their first use on a machine, and read compiled from
 * then on. Node's own compile cache would do this for all modules of a process, and a library must not decide that.
 */

/** The hash of all chunks, from the build: compiled code fits no other text. */
declare const HASH: string
/** Places as JSON, which is read faster than code. */
declare const PLACES: string
declare const __filename: string
declare const require: (path: string) => Exports

type Exports = object
type Late = (path: string) => Promise<Exports>
type Wrapper = (exports: Exports, require: (path: string) => Exports, late: Late, file: string) => void

/** A process writes its compiled code after this time, because it may be killed without an exit. */
const WRITE_AFTER_MS = 3_000
const DAY_MS = 24 * 60 * 60 * 1000
const KEPT_MS = 30 * DAY_MS
const KEPT_OF_OTHER_RELEASES_MS = 3 * DAY_MS

const folder = dirname(__filename)
const file = join(folder, 'program.js')
const places = new Map<string, Place>(
  (JSON.parse(PLACES) as Place[]).flatMap((place) => place.chunks.map((chunk) => [`./${chunk}`, place] as const)),
)
const compiled = new Map<Place, Wrapper[]>()
const loaded = new Map<string, Exports>()
/** Jest gives each test file a realm of its own, and the library's objects must be of that realm. */
const isOtherRealm = runInThisContext('Object') !== Object
let kept: KeptCode | undefined

/** Returns a part of the program that scripts/build/package-bundle.ts names. */
export function part(name: string): Exports {
  kept ??= new KeptCode(cachePath('library'), () => hasAnsweredChange() ?? false)
  return load(`./${name}.js`)
}

/** Keeps the code that a command's first run has compiled. A misspelt command ends with 2 and leaves nothing. */
export function commandLine(argv: readonly string[]): Exports {
  const command = argv.find((word) => !word.startsWith('-')) ?? argv[0]?.replace(/^-+/, '') ?? ''
  const isName = /^[A-Za-z-]{0,20}$/.test(command)
  const isWhole = () => command !== 'start' || (hasAnsweredChange() ?? true)
  const isWorthIt = () => isName && process.exitCode !== 2 && isWhole()
  const path = cachePath('command-line', isName ? command : '')
  kept ??= new KeptCode(path, isWorthIt, command === 'start' ? withoutLimits : atOnce)
  return load('./command-line.js')
}

/** Once a change has been answered, the code that another process needs first is compiled. Undefined if none answers here. */
const hasAnsweredChange = () =>
  compiled.has(places.get('./emulator.js')!)
    ? (load('./emulator.js') as typeof Emulator).hasAnsweredChange()
    : undefined

type Around = (work: () => void) => void
const atOnce: Around = (work) => work()

/** Works under the flags of V8 with which `sandbox start` begins, and which its compiled code needs: it limits its memory later. */
const withoutLimits: Around = (work) => {
  if (tagOfFlags() === FIRST_TAG) return work()
  liftLimits()
  work()
  limitMemory()
}

function load(path: string): Exports {
  const earlier = loaded.get(path)
  const place = places.get(path)
  if (earlier || !place) return earlier ?? require(path)
  const exports: Exports = {}
  const functions = compiled.get(place) ?? compile(place)
  compiled.set(place, functions)
  functions[place.chunks.indexOf(path.slice(2))]!(exports, load, late, file)
  loaded.set(path, exports)
  return exports
}

/** Like an import, which has all of a CommonJS file as its default export. */
const late: Late = async (path) => {
  const exports = await Promise.resolve().then(() => load(path))
  return path.endsWith('.cjs') ? { ...exports, default: exports } : exports
}

function compile({ at: [from, bytes, line], chunks }: Place): Wrapper[] {
  const source = textAt(from, bytes)
  if (isOtherRealm)
    // biome-ignore lint/security/noGlobalEval: the only way to run code in the realm of the caller.
    return globalThis.eval(`${source}//# sourceURL=${file}`) as Wrapper[]
  return kept!.compile(chunks[0]!, source, line).runInThisContext() as Wrapper[]
}

function textAt(from: number, bytes: number): string {
  const text = Buffer.allocUnsafe(bytes)
  const fd = openSync(file, 'r')
  try {
    readSync(fd, text, 0, bytes, from)
  } finally {
    closeSync(fd)
  }
  return text.toString('latin1')
}

/** The compiled code of a command, or of the library: one file, whose first line says where each chunk is in it. */
class KeptCode {
  readonly #path: string | undefined
  readonly #isWorthIt: () => boolean
  readonly #around: Around
  readonly #new = new Map<string, Script>()
  #old: Map<string, Buffer> | undefined

  constructor(path: string | undefined, isWorthIt: () => boolean, around = atOnce) {
    this.#path = path
    this.#isWorthIt = isWorthIt
    this.#around = around
    this.#old = codeIn(path)
    // Code that is needed later costs less to compile than to keep.
    setTimeout(() => (this.#old = undefined), WRITE_AFTER_MS).unref?.()
  }

  compile(chunk: string, source: string, lineOffset: number): Script {
    const cachedData = this.#old?.get(chunk)
    let script: Script
    this.#around(() => {
      script = new Script(source, { filename: file, lineOffset, cachedData })
    })
    if (!cachedData || script!.cachedDataRejected) this.#add(chunk, script!)
    return script!
  }

  #add(chunk: string, script: Script) {
    if (this.#path === undefined) return
    this.#new.set(chunk, script)
    if (this.#new.size > 1) return
    const timer = setInterval(() => this.#write() && clearInterval(timer), WRITE_AFTER_MS)
    timer.unref?.()
    process.once('exit', () => this.#write())
  }

  /** Adds the code that this process has compiled to the cache. Returns whether it was written. */
  #write(): boolean {
    if (this.#new.size === 0 || !this.#isWorthIt()) return false
    this.#around(() => {
      if (tagOfFlags() !== FIRST_TAG) return
      const code = new Map(codeIn(this.#path))
      for (const [chunk, script] of this.#new) code.set(chunk, script.createCachedData())
      const sizes = [...code].map(([chunk, { length }]) => [chunk, length])
      writeWhole(this.#path!, Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...code.values()]))
      this.#new.clear()
    })
    return this.#new.size === 0
  }
}

function codeIn(path: string | undefined): Map<string, Buffer> | undefined {
  const bytes = path === undefined ? undefined : bytesOf(path)
  try {
    let at = bytes!.indexOf('\n') + 1
    const sizes = JSON.parse(bytes!.toString('latin1', 0, at)) as [string, number][]
    const code = new Map<string, Buffer>()
    for (const [chunk, size] of sizes) {
      code.set(chunk, bytes!.subarray(at, at + size))
      at += size
    }
    return code
  } catch {
    return undefined
  }
}

function cachePath(...[name, ...command]: string[]): string | undefined {
  if (isOtherRealm || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  const caches = cacheFolder(process.env)
  return caches && join(caches, 'compiled', [name, HASH, ...command, FIRST_TAG].join('-'))
}

/** Identifies the flags of V8. Code compiled under other flags is not used, and a process may change its flags. */
const tagOfFlags = () => cachedDataVersionTag().toString(16)
const FIRST_TAG = tagOfFlags()

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Writes a draft and renames it, because several processes may do this at once. */
function writeWhole(path: string, bytes: Buffer) {
  const draft = `${path}.${process.pid}`
  try {
    makeFolder(dirname(path), 0o700)
    try {
      writeFileSync(draft, bytes, { mode: 0o600 })
      renameSync(draft, path)
    } finally {
      rmSync(draft, { force: true })
    }
    removeOld(dirname(path))
  } catch {
    // A failure has no other effect than a slower start.
  }
}

/** Removes old files, above all those of other releases: each has a megabyte for a command. One that is still in use is written again. */
function removeOld(folder: string) {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const file = join(folder, name)
    const keptMs = name.includes(HASH) ? KEPT_MS : KEPT_OF_OTHER_RELEASES_MS
    if (Date.now() - statSync(file).mtimeMs > keptMs) rmSync(file, { force: true })
  }
}
