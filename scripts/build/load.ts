import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { runInThisContext, Script } from 'node:vm'
import { cacheFolder } from '../../src/cli/process/cache-folder.ts'
import { liftLimits, limitMemory } from '../../src/cli/process/limit-memory.ts'
import type * as Emulator from '../../src/server/emulator.ts'

/**
 * Loads the two large files of the package: compiled on their first use on a machine, and read compiled from then on.
 * Node's own compile cache would do this for all modules of a process, and a library must not decide that. It would also
 * read the command line from fifty files instead of one.
 */

/** The hash of each file's text, from the build: compiled code fits no other text. */
declare const HASHES: { library: string; 'command-line': string }
declare const __filename: string
declare const require: (path: string) => unknown

type Exports = Record<string, unknown>
type Wrapper = (exports: Exports, require: unknown, module: { exports: Exports }, file: string, folder: string) => void

/** A process writes its compiled code after this time, because it may be killed without an exit. */
const WRITE_AFTER_MS = 3_000
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

const folder = dirname(__filename)
let library: Exports | undefined

/** Returns a part of the library that scripts/build/package-bundle.ts names. */
export function part(name: string): Exports {
  // Once a change has been answered, the code that another process needs first is compiled.
  library ??= evaluated('library', '', () => (part('emulator') as typeof Emulator).hasAnsweredChange())
  return library[name] as Exports
}

/** Keeps the code that a command's first run has compiled. A misspelt command ends with 2 and leaves nothing. */
export function commandLine(argv: readonly string[]): Exports {
  const command = argv.find((word) => !word.startsWith('-')) ?? argv[0]?.replace(/^-+/, '') ?? ''
  const isName = /^[A-Za-z-]{0,20}$/.test(command)
  const isWorthIt = () => isName && process.exitCode !== 2
  return evaluated('command-line', `-${isName ? command : ''}`, isWorthIt, command === 'start' ? withoutLimits : atOnce)
}

type Around = (work: () => void) => void
const atOnce: Around = (work) => work()

/** Works under the flags of V8 under which `sandbox start` begins, and is read: it limits its memory later. */
const withoutLimits: Around = (work) => {
  liftLimits()
  work()
  limitMemory()
}

function evaluated(
  name: keyof typeof HASHES,
  variant: string,
  isWorthIt: () => boolean,
  around: Around = atOnce,
): Exports {
  const file = join(folder, `${name}.js`)
  const text = readFileSync(file, 'latin1')
  const own = { exports: {} as Exports }
  const cache = cachePath(`${name}-${HASHES[name]}${variant}`)
  const writeLater = (script: Script) => cache && keepLater(script, cache, isWorthIt, around)
  functionOf(text, file, cache, writeLater)(own.exports, require, own, file, folder)
  return own.exports
}

function functionOf(
  text: string,
  file: string,
  cache: string | undefined,
  writeLater: (script: Script) => void,
): Wrapper {
  // Jest gives each test file a realm of its own, and the library's objects must be of that realm.
  if (runInThisContext('Object') !== Object)
    // biome-ignore lint/security/noGlobalEval: the only way to run code in the realm of the caller.
    return globalThis.eval(`${text}//# sourceURL=${file}`) as Wrapper
  const cachedData = cache === undefined ? undefined : bytesOf(cache)
  const script = new Script(text, { filename: file, cachedData })
  if (!cachedData || script.cachedDataRejected) writeLater(script)
  return script.runInThisContext() as Wrapper
}

function cachePath(name: string): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  const caches = cacheFolder(process.env)
  return caches && join(caches, 'compiled', `${name}-${tagOfFlags()}`)
}

/** Identifies the flags of V8. Code compiled under other flags is not used, and a process may change its flags. */
const tagOfFlags = () => cachedDataVersionTag().toString(16)

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function keepLater(script: Script, path: string, isWorthIt: () => boolean, around: Around) {
  const timer = setInterval(write, WRITE_AFTER_MS)
  timer.unref?.()
  process.once('exit', write)

  function write() {
    if (isWorthIt()) around(writeIfReadable)
  }

  function writeIfReadable() {
    if (!path.endsWith(tagOfFlags())) return
    clearInterval(timer)
    process.off('exit', write)
    writeWhole(path, script.createCachedData())
  }
}

/** Writes a draft and renames it, because several processes may do this at once. */
function writeWhole(path: string, bytes: Buffer) {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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

/** Removes old files, or those of former releases would stay for ever. One that is still in use is written again. */
function removeOld(folder: string) {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true })
  }
}
