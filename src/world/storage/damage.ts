import { basename } from 'node:path'
import { Problem, problem } from '../../words/problem.ts'

/** True where SQLite reports a page or header that it has not written. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String(((error ?? {}) as { code?: unknown }).code))

/**
 * True where stored JSON does not parse. The sandbox stores JSON only as JSON.stringify writes it, and SQLite does not
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
    `${file} is damaged, or not a file of the sandbox. Begin the namespace anew with "sandbox namespaces reset ` +
      `${basename(file, '.db')}" and the key of another namespace, which keeps this file as ${basename(setAsideAs(file))}; ` +
      'or stop the sandbox and put a copy in its place. Other namespaces go on.',
    { file },
  )

export const isDamageProblem = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'world_damaged'
