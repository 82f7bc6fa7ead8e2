/** An answer with its own status, headers, or bytes that must not be serialised again. */
export class Reply {
  readonly status: number | undefined
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(body: unknown, { status, headers = {} }: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

/** Writes a chunk; resolves when the caller can receive more, or has disconnected. */
export type Write = (chunk: string) => Promise<void>

/** A streamed answer: `run` writes until the caller leaves or the server stops; `skip` replaces it where nothing is read. */
export class Stream {
  readonly run: (write: Write, signal: AbortSignal) => Promise<void>
  readonly skip: () => void

  constructor(run: Stream['run'], skip: Stream['skip'] = () => {}) {
    this.run = run
    this.skip = skip
  }
}
