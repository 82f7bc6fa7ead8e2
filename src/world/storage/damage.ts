import { basename } from 'node:path'
import { Problem, problem } from '../../words/problem.ts'

/** True where SQLite reports a page or header that it has not written. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String(((error ?? {}) as { code?: unknown }).code))

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
