import { Problem, problem } from '../../words/problem.ts'
import type { Noun } from '../noun.ts'
import { parseWorldFile } from './schema.ts'
import { MAX_WORLD_BYTES, unreadable, type WorldFile } from './world-file.ts'
import { type FileFault, readYaml } from './yaml.ts'

/** Reads a world file and reports all faults together: `world.yaml:12:5: contacts[3].email: is required`. */
export function readWorldText(bytes: Buffer, name: string, nouns: readonly Noun[]): WorldFile {
  const { content, faults, placed } = readYaml(textOf(bytes, name))
  if (faults.length > 0) throw faultsOf(name, faults)
  const toProblem: WorldFile['toProblem'] = (details) => faultsOf(name, placed(details))
  try {
    return { ...parseWorldFile(content, nouns), toProblem }
  } catch (error) {
    throw error instanceof Problem ? toProblem(error.details) : error
  }
}

function textOf(bytes: Buffer, name: string): string {
  if (bytes.length > MAX_WORLD_BYTES) throw unreadable(name, 'is larger than 16 MiB, the limit for a world file')
  // UTF-16, which older PowerShells write with "> file".
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  const text = decoded(bytes, encoding)
  if (text === undefined || text.includes('\0')) throw unreadable(name, 'is not UTF-8 text')
  return text
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** About two screens of faults. */
const MAX_LINES = 50

function faultsOf(file: string, faults: readonly FileFault[]): Problem {
  const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const lines = sorted.map(({ line, column, field, message }) =>
    [`${file}:${line}:${column}`, field, message].filter(Boolean).join(': '),
  )
  const more = lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more`] : []
  return problem('validation_error', [...lines.slice(0, MAX_LINES), ...more].join('\n'), { details: sorted, file })
}
