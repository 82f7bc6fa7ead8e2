import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type ClientOptions, call, Refusal, resultOf } from '../client/call.ts'
import { operations } from '../client/operations.ts'
import { deadline } from '../http/sleep.ts'

/** A position that is kept under its name in the world that is read, so that both are reset together. */
export interface NamedCursor {
  name: string
  /** Who reads with it, told apart from all others. */
  holder: string
}

/** A process number alone may be that of another machine, or of another container. */
export const currentHolder = () => `process ${process.pid} on ${hostname()} (${randomUUID().slice(0, 8)})`

/** The emulator takes a reader that it does not hear of for 30 s to be gone, in ms. */
const HEARTBEAT_MS = 10_000
const TIMEOUT_MS = 5_000
/** How long an end waits for the last position to be kept, in ms. */
const FLUSH_MS = 2_000

interface CursorPosition {
  log: string
  seq: number
}

/** Keeps a position in the emulator. Of several that come while one is written, the last is enough. */
export class CursorKeeper {
  readonly #endpoint: ClientOptions
  readonly #cursor: NamedCursor
  readonly #failed: (error: unknown) => void
  #wanted: CursorPosition | undefined
  #writing: Promise<void> | undefined
  #callOff = () => {}
  #isOver = false

  constructor(endpoint: ClientOptions, cursor: NamedCursor, failed: (error: unknown) => void) {
    this.#endpoint = endpoint
    this.#cursor = cursor
    this.#failed = failed
  }

  /** Says again and again where it stands, which shows too that the reader lives. */
  keep(place: CursorPosition) {
    if (this.#isOver) return
    this.#wanted = place
    this.#writing ??= this.#write()
    this.#callOff()
    this.#callOff = deadline(HEARTBEAT_MS, () => this.keep(this.#wanted ?? place))
  }

  /** Stands still until it is told a position again. */
  rest() {
    this.#callOff()
    this.#wanted = undefined
  }

  /** Resolves when the last position is kept, or cannot be. What is told afterwards is not kept, and no heartbeat follows. */
  async end(): Promise<void> {
    this.#isOver = true
    this.#callOff()
    let callOff = () => {}
    const late = new Promise<void>((resolve) => {
      callOff = deadline(FLUSH_MS, resolve)
    })
    await Promise.race([this.#writing, late])
    callOff()
  }

  async #write() {
    let written: CursorPosition | undefined
    while (this.#wanted && this.#wanted !== written) {
      written = this.#wanted
      try {
        await this.#put(written)
      } catch (error) {
        if (error instanceof Refusal && !isPassing(error)) this.#failed(error)
        break
      }
    }
    this.#writing = undefined
  }

  async #put({ log, seq }: CursorPosition) {
    const { name, holder } = this.#cursor
    const body = { seq, log, holder }
    resultOf(await call(this.#endpoint, operations.events.moveCursor, { name }, body, { timeoutMs: TIMEOUT_MS }))
  }
}

/**
 * Another world has taken the place of the one that was read, or another reader has the cursor: the stream says so itself.
 * An overloaded or stopping server gets the position with the next event or heartbeat.
 */
const isPassing = ({ status }: Refusal) => status === 409 || status === 429 || status >= 500
