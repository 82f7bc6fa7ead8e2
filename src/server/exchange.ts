import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LogEntry, truncated } from '../controls/logs/exchange-record.ts'
import { type LogWriter, logWriterOf, record } from '../controls/logs/log.ts'
import type { Operation } from '../words/operation.ts'
import { machineMs, machineNow } from '../world/machine-time.ts'
import type { World } from '../world/world.ts'
import { type AnswerHead, isObserver } from './admission.ts'

/** The body that the server attaches to a request of Node, for the request log. */
export interface RequestNotes {
  /** The received body, and its length in bytes. */
  sentBody?: string | Buffer
  sentBytes?: number
}
export interface AnswerNotes {
  answerBody?: string | Buffer | undefined
}

type Target = Pick<Operation, 'id' | 'path' | 'isUnrecorded'>

/** Follows a request until it is in the request log of its world. */
export class Exchange {
  readonly #req: IncomingMessage & RequestNotes
  readonly #res: ServerResponse & AnswerNotes
  readonly #target: Target
  readonly #head: AnswerHead
  readonly #from = machineMs()
  #room: LogWriter | undefined
  #at = 0

  constructor(req: IncomingMessage, res: ServerResponse, target: Target, head: AnswerHead) {
    this.#req = req
    this.#res = res
    this.#target = target
    this.#head = head
  }

  /** Assigns the request to a world. */
  in(world: World): World {
    // Read now, because the world may be gone at the end.
    this.#room = logWriterOf(world)
    this.#at = world.now()
    return world
  }

  /**
   * Logs the answered request. Requests without a world, for lack of a key or a valid Host, are logged in `fallback`.
   */
  end(fallback: () => World) {
    if (this.#target.isUnrecorded && this.#res.statusCode < 400) return
    if (isObserver(this.#req)) return
    const room = this.#room ?? this.#roomOf(fallback)
    if (room) record(room, this.#logged())
  }

  #roomOf(fallback: () => World): LogWriter | undefined {
    try {
      this.in(fallback())
      return this.#room
    } catch {
      // The world cannot be read, which the answer has reported.
      return undefined
    }
  }

  #logged(): LogEntry {
    const { method, url, headers, sentBody, sentBytes } = this.#req
    const { statusCode, headersSent, answerBody } = this.#res
    const durationMs = machineMs() - this.#from
    return {
      seq: 0,
      requestId: String(this.#head['X-Request-Id']),
      at: this.#at,
      // Rounded down, or the request could seem to be older than the call that sent it.
      machineAt: machineNow() - Math.floor(durationMs),
      durationMs,
      method: method!,
      url: url!,
      operation: this.#target.path === '' ? null : this.#target.id,
      requestHeaders: headers,
      sent: truncated(sentBody),
      sentBytes: sentBytes ?? sentBody?.length ?? declaredLength(this.#req),
      status: headersSent ? statusCode : null,
      responseHeaders: this.#head,
      answer: truncated(answerBody),
      fault: (this.#head['X-Sandbox-Fault'] as string | undefined) ?? null,
    }
  }
}

/** Reads the length that the sender declared. A body may be refused before it is read. */
const declaredLength = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)
