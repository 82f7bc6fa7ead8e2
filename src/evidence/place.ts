import { basename, isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slug } from './slug.ts'

/** The default folder for evidence of failures. */
export const FAILURES_FOLDER = 'sandbox-failures'

/** A test, as its runner knows it. */
export interface Test {
  /** Its name with those of the groups that it is in; undefined if the runner does not tell. */
  title?: string | undefined
  /** Path of its file, where that is known. */
  file?: string | undefined
  /** Line of the declaration, for runners that report nothing else. */
  line?: number | undefined
  /** Distinguishes tests of one title in one file. */
  id?: string | undefined
  /** The number of the attempt, from 1. */
  attempt?: number | undefined
}

/** The longest part of a title in a file name. */
const MAX_CHARACTERS = 120

export const titleOf = ({ title, line }: Test): string => title ?? (line === undefined ? 'test' : `line ${line}`)

/** Names of evidence in this process, each with the test that has it. */
const ownersByName = new Map<string, string>()

/** The path of a test's evidence in its folder, without extension: a folder for each test file, a file for each attempt. */
export function placeOf(test: Test, cwd = process.cwd()): string {
  const attempt = test.attempt !== undefined && test.attempt > 1 ? `-attempt-${test.attempt}` : ''
  const name = [...foldersOf(test.file, cwd), `${distinctSlug(titleOf(test))}${attempt}`].join(sep)
  const identity = `${test.file} ${test.title} ${test.id ?? ++unnamed}`
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    const owner = ownersByName.get(candidate)
    if (owner !== undefined && owner !== identity) continue
    ownersByName.set(candidate, identity)
    return candidate
  }
}

/** Tests without an id are different ones. */
let unnamed = 0

/** A unique slug of a title: a hash represents the characters it omits. */
function distinctSlug(title: string): string {
  const simple = slug(title, MAX_CHARACTERS)
  const isWhole = simple.replaceAll('-', ' ') === title.toLowerCase() || title === simple
  return isWhole ? simple : slug(title, MAX_CHARACTERS, { isMarked: true })
}

function foldersOf(file: string | undefined, cwd: string): string[] {
  if (file === undefined) return []
  const path = relative(cwd, file)
  const isInside = path !== '' && !isAbsolute(path) && !path.startsWith('..')
  // node --test takes every path that ends in .test.mjs for a test, folders too.
  const folder = (isInside ? path : basename(file)).replace(/\.(?=\w+$)/, '-')
  return folder.split(sep).map((part) => part.replace(/[^\w.@+-]/g, '-'))
}

/** `at file:///project/shop.test.ts:12:3`, `at fn (/project/shop.test.ts:12:3)`, `fn@file:///…:12:3` */
const FRAME = /(?:\(|at |@)?((?:file:\/\/)?[^\s()@]*[/\\][^\s()]+?):(\d+):\d+\)?$/

export interface Location {
  file: string
  line: number
}

/** The first place in a stack that is of the user: neither Node's, nor a package's. */
export function locationIn(stack: string | undefined): Location | undefined {
  for (const frame of (stack ?? '').split('\n')) {
    const [, path, line] = FRAME.exec(frame.trim()) ?? []
    if (path === undefined || /node:|node_modules|\bnative\b/.test(path)) continue
    return { file: path.startsWith('file:') ? fileURLToPath(path) : path, line: Number(line) }
  }
  return undefined
}
