import { fieldName } from './field-name.ts'
import type { Detail } from './problem.ts'

const MAX_REPORTED = 20
/** Of a longer path, only the end is shown. */
const MAX_PATH_LENGTH = 200

/** JSON.stringify, and other code that walks values, overflows the stack on deeper nesting. */
const MAX_DEPTH = 2_048
/** A text of so few characters cannot nest deeper. */
const SHORT_LENGTH = 2 * MAX_DEPTH

/** Matches the tokens that make up the structure. The text between two of them is skipped. */
const TOKEN = /["{}[\],]|-?\d[\d.eE+-]*/g

/** An object or array around the scan position. */
interface Container {
  /** The names that an object had so far; undefined in an array. */
  readonly names: Set<string> | undefined
  /** The current name or index. */
  at: string | number
  /** The next string is a name. */
  awaitsName: boolean
}

/** Parses JSON that a user wrote. The message of its error follows the name of the source. */
export function strictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`)
  }
  const [first] = faultsIn(text, value)
  if (first?.code === TOO_DEEP) throw new Error(first.message)
  if (first) throw new Error(`is ambiguous: ${first.field || 'the number'} ${first.message}`)
  return value
}

const TOO_DEEP = 'too_deep'

/**
 * Finds what JSON.parse would resolve silently or lose: duplicate fields, numbers that no double holds, and fields
 * that JavaScript objects do not keep; and nesting that nothing else can process. `value` is the parsed text, which is
 * scanned once.
 */
export function faultsIn(text: string, value: unknown): Detail[] {
  if (isKept(text, value)) return []
  const details: Detail[] = []
  const open: Container[] = []
  const tell = (code: string, message: string) => details.push({ field: pathOf(open), code, message })
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(text); token && details.length < MAX_REPORTED; token = TOKEN.exec(text)) {
    if (open.length > MAX_DEPTH)
      return [{ field: '', code: TOO_DEEP, message: `is nested too deeply (limit: ${MAX_DEPTH} levels)` }]
    const inside = open.at(-1)
    switch (token[0]) {
      case '{':
        open.push({ names: new Set(), at: '', awaitsName: true })
        break
      case '[':
        open.push({ names: undefined, at: 0, awaitsName: false })
        break
      case '}':
      case ']':
        open.pop()
        break
      case ',':
        if (inside!.names) inside!.awaitsName = true
        else inside!.at = Number(inside!.at) + 1
        break
      case '"': {
        const end = endOfString(text, token.index)
        if (inside?.awaitsName) enter(inside, nameIn(text.slice(token.index, end)), tell)
        TOKEN.lastIndex = end
        break
      }
      default:
        checkNumber(token[0], tell)
    }
  }
  return details
}

/** Large numbers, and the name that objects do not keep: both would be written again as they were read, and are refused. */
const ODD = /__proto__|[:[,]-?(?:\d{16}|[\d.]+e\+)/

/** Returns whether the text is exactly what the value is written as. Most bodies are, and scanning them would cost a send 5 %. */
const isKept = (text: string, value: unknown) =>
  text.length <= SHORT_LENGTH && !ODD.test(text) && JSON.stringify(value) === text

type Tell = (code: string, message: string) => void

function enter(object: Container, name: string, tell: Tell) {
  object.at = name
  object.awaitsName = false
  if (name === '__proto__') tell('reserved', 'cannot be the name of a field')
  else if (object.names!.has(name)) tell('duplicate', 'is given twice; give it once')
  object.names!.add(name)
}

function checkNumber(text: string, tell: Tell) {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER)
    tell('too_big', 'is 2^53 or more, where numbers are no longer exact; send it as a string')
  else if (number === 0 && /^-?[0.]*[1-9]/.test(text)) tell('too_small', 'is too close to 0 to be kept; send 0')
}

/** Finds the end of the string whose quote is at `from`. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Decodes a name, because equal names may be escaped differently. */
const nameIn = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)

function pathOf(open: readonly Container[]): string {
  const path = fieldName(open.map(({ at }) => at))
  return path.length <= MAX_PATH_LENGTH ? path : `…${path.slice(-MAX_PATH_LENGTH)}`
}
