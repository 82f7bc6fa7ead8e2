import { Problem } from '../../words/problem.ts'
import type { Noun } from '../noun.ts'
import { parseWorldFile } from './schema.ts'
import { MAX_WORLD_BYTES, unreadable, type WorldFile } from './world-file.ts'
import { readYaml, refusalOf } from './yaml.ts'

/** About two screens of faults. */
const MAX_LINES = 50

/** Reads a world file and reports all faults together: `world.yaml:12:5: contacts[3].email: is required`. */
export function readWorldText(bytes: Buffer, name: string, nouns: readonly Noun[]): WorldFile {
  const { content, faults, placed } = readYaml(textOf(bytes, name))
  if (faults.length > 0) throw refusalOf(name, faults, MAX_LINES)
  const toProblem: WorldFile['toProblem'] = (details) => refusalOf(name, placed(details), MAX_LINES)
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
  if (text === undefined) throw unreadable(name, 'is not UTF-8 text')
  return text
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
