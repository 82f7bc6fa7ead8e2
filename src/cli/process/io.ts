import type { Keys } from './keys.ts'

/** The output of a command: a process stream, or a collector in tests. */
interface Sink {
  write(text: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** A stream, or chunks in tests. */
type Input = AsyncIterable<Uint8Array | string> & { destroy?(error: Error): unknown }

export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'EPIPE'

/** A question on a terminal. */
export interface Question {
  message: string
  choices?: readonly string[]
  default?: string
  /** The input is not echoed. */
  isSecret?: boolean
  /** An empty answer is accepted. */
  isOptional?: boolean
}

/** The process as a command sees it. */
export interface Io {
  stdout: Sink
  stderr: Sink
  stdin: Input & { readonly isTTY?: boolean | undefined }
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** The words that call this program: `sandbox`, `npx sandbox`. */
  program: string
  /** The words that start this program again, without arguments. */
  launcher: readonly string[]
  /** Aborts with a {@link StopReason} when the user stops the command or the reader of its output leaves. */
  signal: AbortSignal
  /** Output that cannot be written, as on a full disk, is dropped from now on, instead of ending the process. */
  dropLostOutput?: () => void
  /** Key presses; undefined if stdin is not a terminal. */
  keys?: Keys | undefined
  /** Asks the user. Only called when stdin and stdout are terminals. */
  ask(question: Question): Promise<string>
  /** Shows a spinner until the returned function is called. */
  spin(text: string): Promise<() => void>
}

/** Reads all bytes, or stops soon after more than `maxBytes` have arrived, or when the signal aborts. */
export async function readBytes(input: Input, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const stop = Promise.withResolvers<never>()
  const onAbort = () => {
    const interrupted = new DOMException('The read was interrupted.', 'AbortError')
    input.destroy?.(interrupted)
    // A stream ends only after its file was opened, which takes for ever for a pipe without a writer.
    stop.reject(interrupted)
  }
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([bytesOf(input, maxBytes), stop.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function bytesOf(input: Input, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(bytes)
    length += bytes.length
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks)
}
