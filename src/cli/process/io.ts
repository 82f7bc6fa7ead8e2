import type { Keys } from './keys.ts'

/** Where a command writes; a process stream, or a collector in tests. */
export interface Sink {
  write(text: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export type StopReason = 'SIGINT' | 'SIGTERM' | 'EPIPE'

/** A question asked on a terminal. */
export interface Question {
  message: string
  choices?: readonly string[]
  default?: string
  /** What is typed is not shown. */
  isSecret?: boolean
  /** Nothing is an answer too. */
  isOptional?: boolean
}

/** All that a command knows of the process it runs in. */
export interface Io {
  stdout: Sink
  stderr: Sink
  stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined }
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** How this program was called: `sandbox`, `npx sandbox`. */
  program: string
  /** How this program is called once more: what stands before its arguments. */
  launcher: readonly string[]
  /** Aborts, with a {@link StopReason}, when the user wants no more. */
  signal: AbortSignal
  /** The keys that are pressed; undefined where stdin is no terminal. */
  keys?: Keys | undefined
  /** Asks the user; only called when stdin and stdout are terminals. */
  ask(question: Question): Promise<string>
  /** Shows people that something is waited for, until the returned function is called. */
  spin(text: string): Promise<() => void>
}

/** All bytes, or so many that there are more than `most`. */
export async function readBytes(stdin: Io['stdin'], most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    length += chunks[chunks.push(Buffer.from(chunk)) - 1]!.length
    if (length > most) break
  }
  return Buffer.concat(chunks)
}

export const readAll = async (stdin: Io['stdin']): Promise<string> => (await readBytes(stdin)).toString('utf8')
