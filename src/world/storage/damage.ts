import { basename } from 'node:path'
import { Problem, problem } from '../../words/problem.ts'

/** A page of a database, or its header, is not what SQLite has written. Other files are not touched by it. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String(((error ?? {}) as { code?: unknown }).code))

/** What the damaged file of a world is kept as when another takes its place. */
export const setAsideAs = (file: string): string => `${file}.damaged`

/** The file of a world is damaged, or is none. */
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
