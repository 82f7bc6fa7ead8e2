import { basename } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Problem, problem } from '../../words/problem.ts'

/** True if SQLite reports a page or header that it did not write, or that the disk failed to read. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String(((error ?? {}) as { code?: unknown }).code))

/**
 * True if stored JSON does not parse. The sandbox stores JSON only as JSON.stringify writes it, and SQLite does not
 * notice a page whose text was overwritten.
 */
export const isUnreadable = (error: unknown): boolean => {
  const { name, stack } = (error ?? {}) as { name?: unknown; stack?: unknown }
  return name === 'SyntaxError' && /^\s+at JSON\.parse \(/m.test(String(stack))
}

/** The name under which a damaged file is kept. */
export const setAsideAs = (file: string): string => `${file}.damaged`

export const damagedFile = (file: string): Problem =>
  problem(
    'world_damaged',
    `${file} is damaged, or not a file of the sandbox. Reset the namespace with "sandbox namespaces reset ` +
      `${basename(file, '.db')}" and the key of another namespace, which keeps this file as ${basename(setAsideAs(file))}; ` +
      'or stop the sandbox and replace the file by a copy. If the disk could not read it, the namespace works again once ' +
      'it can. Other namespaces are not affected.',
    { file },
  )

/** Reads the whole file. */
export function isIntact(file: string): boolean {
  try {
    const db = new Sqlite(file, { readonly: true })
    try {
      return db.pragma('quick_check(1)', { simple: true }) === 'ok'
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}

export const isDamageProblem = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'world_damaged'
