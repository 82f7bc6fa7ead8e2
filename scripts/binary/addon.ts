import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { cacheFolder } from '../../src/cli/process/cache-folder.ts'
import { problem } from '../../src/words/problem.ts'

/** The hash of the addon's bytes, defined by esbuild. */
declare const ADDON_HASH: string

let addon: unknown

/** Replaces better-sqlite3/lib/binding.js in the binary. Systems load machine code from files only, so it writes one. */
export function getBinding(): unknown {
  addon ??= load(Buffer.from(getRawAsset('addon') as ArrayBuffer))
  return addon
}

function load(bytes: Buffer): unknown {
  const failures: string[] = []
  for (const attempt of [fromCache, fromTemporary]) {
    try {
      return attempt(bytes)
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  throw problem(
    'storage_unavailable',
    `The database's machine code must be written to a folder before it can be loaded, and none would do: ${failures.join('; ')}. Set XDG_CACHE_HOME or TMPDIR to a folder that can be written, and from which programs may run.`,
  )
}

/** Keeps the file in a folder of the user's own. An existing one is used only if every byte is the same. */
function fromCache(bytes: Buffer): unknown {
  const folder = cacheFolder(process.env)
  if (folder === undefined) throw new Error('this user has no home')
  const file = join(folder, `better-sqlite3-${ADDON_HASH}.node`)
  if (!holds(file, bytes)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
    writeFileSync(draft, bytes, { mode: 0o500 })
    try {
      renameSync(draft, file)
    } catch (error) {
      rmSync(draft, { force: true })
      // Windows refuses to replace a file that another instance has loaded, which then has the same bytes.
      if (!holds(file, bytes)) throw error
    }
  }
  return open(file)
}

function fromTemporary(bytes: Buffer): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-sandbox-'))
  try {
    const file = join(folder, 'better-sqlite3.node')
    writeFileSync(file, bytes, { mode: 0o500 })
    return open(file)
  } finally {
    // The file is not needed after loading; Windows refuses to remove it.
    rmSync(folder, { recursive: true, force: process.platform === 'win32' })
  }
}

function open(file: string): unknown {
  const module = { exports: {} }
  process.dlopen(module, file)
  return module.exports
}

function holds(file: string, bytes: Buffer): boolean {
  try {
    return readFileSync(file).equals(bytes)
  } catch {
    return false
  }
}
