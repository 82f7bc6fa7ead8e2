import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type ClientOptions, call, Refusal, resultOf } from '../client/call.ts'
import { operations } from '../client/operations.ts'
import { deadline } from '../http/sleep.ts'
import { within } from '../http/within.ts'
import { isPassing } from './backoff.ts'

/** A named position, stored in the world that is read, so that both are reset together. */
export interface NamedCursor {
  name: string
  /** Identifies the reader. */
  holder: string
}

/** Contains the host name, because another machine or container may have the same pid. */
export const currentHolder = () => `process ${process.pid} on ${hostname()} (${randomUUID().slice(0, 8)})`

/** Interval of heartbeats, ms: the emulator gives up a reader that is silent for 30 s. */
const HEARTBEAT_MS = 10_000
const TIMEOUT_MS = 5_000
/** Time limit for storing the last position at the end, ms. */
const FLUSH_MS = 2_000

interface CursorPosition {
  log: string
  seq: number
}

/** Stores the position in the emulator. Of several positions during one write, only the last is written next. */
export class CursorKeeper {
  readonly #endpoint: ClientOptions
  readonly #cursor: NamedCursor
  readonly #failed: (error: unknown) => void
  readonly #outdated: (refusal: Refusal) => void
  #wanted: CursorPosition | undefined
  #writing: Promise<void> | undefined
  #callOff = () => {}
  #isOver = false

  constructor(
    endpoint: ClientOptions,
    cursor: NamedCursor,
    { failed, outdated }: { failed(error: unknown): void; outdated(refusal: Refusal): void },
  ) {
    this.#endpoint = endpoint
    this.#cursor = cursor
    this.#failed = failed
    this.#outdated = outdated
  }

  /** Stores a position and repeats it as a heartbeat. */
  keep(place: CursorPosition) {
    if (this.#isOver) return
    this.#wanted = place
    this.#writing ??= this.#write()
    this.#callOff()
    this.#callOff = deadline(HEARTBEAT_MS, () => this.keep(this.#wanted ?? place))
  }

  /** Pauses until the next position. */
  rest() {
    this.#callOff()
    this.#wanted = undefined
  }

  /** Stores the last position if possible, and ends the heartbeat. */
  async end(): Promise<void> {
    this.#isOver = true
    this.#callOff()
    if (this.#writing) await within(FLUSH_MS, this.#writing)
  }

  async #write() {
    let written: CursorPosition | undefined
    while (this.#wanted && this.#wanted !== written) {
      written = this.#wanted
      try {
        await this.#put(written)
      } catch (error) {
        // The stream may have reported another log since.
        if (isInUse(error) || (isReplaced(error) && this.#wanted?.log === written.log)) this.#outdated(error)
        // An overloaded or stopping server gets the position with the next event or heartbeat.
        else if (error instanceof Refusal && error.status !== 409 && !isPassing(error)) this.#failed(error)
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

const isRefusedAs =
  (code: string) =>
  (error: unknown): error is Refusal =>
    error instanceof Refusal && error.code === code

/** Another reader holds the cursor. */
export const isInUse = isRefusedAs('cursor_in_use')
/** The log of the position is gone. */
const isReplaced = isRefusedAs('world_replaced')
