import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { brokenFields } from '../words/broken-fields.ts'
import type { Operation } from '../words/operation.ts'
import { problem } from '../words/problem.ts'
import { faultsIn } from '../words/strict-json.ts'
import type { RequestNotes } from './exchange.ts'

const MIB = 1024 * 1024
const JSON_TYPE = 'application/json'

type Target = Pick<Operation, 'maxBodyBytes' | 'accepts'>

/**
 * Reads a request body; undefined without one. express.json would take a tenth of a send's time for encodings that are
 * refused anyway.
 */
export function readBody(
  req: IncomingMessage,
  { maxBodyBytes: mostBytes = MIB, accepts }: Target,
): Promise<Buffer> | undefined {
  const { headers } = req
  const transfer = headers['transfer-encoding']
  if (transfer === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined
  checkType(headers['content-type'], accepts)
  // Node joins the chunks, and does not decode other transfer codings.
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  if (!isPlain || (transfer ?? 'chunked').toLowerCase() !== 'chunked')
    throw problem('unsupported_media_type', 'Compressed bodies are not supported. Send plain UTF-8 JSON.')
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes)
  return bytesOf(req, mostBytes)
}

/** Parses a JSON body; files stay bytes. The request log gets everything but files. */
export function parseBody(
  req: IncomingMessage & RequestNotes,
  bytes: Buffer | undefined,
  { accepts }: Target,
): object | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined
  if (accepts !== undefined) return bytes
  req.sentBody = bytes
  const text = textOf(bytes)
  // Keeps the text, which burdens garbage collection less than the bytes.
  req.sentBody = text
  req.sentBytes = bytes.length
  const value = parse(text)
  const faults = faultsIn(text, value)
  if (faults.length > 0) throw brokenFields(faults, 'body')
  return value
}

/** Files may have no type: curl sends none with uploads. */
function checkType(type = '', accepts: string | undefined) {
  if (accepts === undefined) {
    if (type !== JSON_TYPE && !isJson(type)) throw problem('unsupported_media_type')
  } else if (!['', accepts, 'application/octet-stream'].includes(type.toLowerCase()))
    throw problem('unsupported_media_type', `This call takes the bytes of a file. Send "Content-Type: ${accepts}".`)
}

/** Accepts parameters; a charset must be UTF-8. */
function isJson(type: string): boolean {
  const [name, ...parameters] = type.toLowerCase().split(';')
  return name!.trim() === JSON_TYPE && parameters.every(isKnownParameter)
}

function isKnownParameter(parameter: string): boolean {
  const [name, value, ...more] = parameter.split('=').map((part) => part.trim())
  if (name === '' && value === undefined) return true
  if (!/^[\w.+-]+$/.test(name!) || !value || more.length > 0) return false
  return name !== 'charset' || /^"?utf-?8"?$/.test(value)
}

const tooLarge = (mostBytes: number) =>
  problem('payload_too_large', `The body is larger than ${mostBytes / MIB} MiB. Send a smaller body.`)

/** Refuses a body that is incomplete or larger than the limit. */
export function bytesOf(req: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > mostBytes) reject(tooLarge(mostBytes))
      else chunks.push(chunk)
    })
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    req.on('error', (error) => reject(problem('invalid_json', `The body is incomplete: ${error.message}.`)))
  })
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw noJson('Not every byte is part of a UTF-8 character')
  return bytes.toString()
}

function parse(text: string): object {
  const value = parseJson(text)
  if (HALF_ESCAPED.test(text) && hasHalfCharacter(value)) throw noJson('Half a surrogate pair is escaped')
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw problem('validation_error', 'The body must be a JSON object.')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message of the parser shows it as nothing.
    if (text.startsWith('\ufeff'))
      throw problem('invalid_json', 'The body begins with a byte order mark. Send it without one.')
    throw noJson((error as Error).message)
  }
}

const noJson = (why: string) => problem('invalid_json', `The body is not JSON in UTF-8: ${why}.`)

/** An escape can denote half of a surrogate pair, which UTF-8 cannot carry (RFC 8259 §8.2). */
const HALF_ESCAPED = /\\ud[89a-f]/i

/** Iterative, because a body may nest very deeply. */
function hasHalfCharacter(body: unknown): boolean {
  const waiting = [body]
  for (const value of waiting) {
    if (typeof value === 'string' && !value.isWellFormed()) return true
    if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) waiting.push(key, inner)
  }
  return false
}
