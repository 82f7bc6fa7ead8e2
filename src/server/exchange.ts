import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LogEntry, truncated } from '../controls/logs/exchange-record.ts'
import { type LogWriter, logWriterOf, record } from '../controls/logs/log.ts'
import type { Operation } from '../words/operation.ts'
import { machineMs, machineNow } from '../world/machine-time.ts'
import type { World } from '../world/world.ts'
import { type Head, observes } from './admission.ts'

/** The body that the server attaches to a request of Node, for the request log. */
export interface Sent {
  /** The body as it came, and its length in bytes. */
  sentBody?: string | Buffer
  sentBytes?: number
}
export interface Answered {
  answerBody?: string | Buffer | undefined
}

type Target = Pick<Operation, 'id' | 'path' | 'isUnrecorded'>

/** One request on its way through the server, until the request log of its world has it. */
export class Exchange {
  readonly #req: IncomingMessage & Sent
  readonly #res: ServerResponse & Answered
  readonly #target: Target
  readonly #head: Head
  readonly #from = machineMs()
  #room: LogWriter | undefined
  #at = 0

  constructor(req: IncomingMessage, res: ServerResponse, target: Target, head: Head) {
    this.#req = req
    this.#res = res
    this.#target = target
    this.#head = head
  }

  /** It belongs to this world. */
  in(world: World): World {
    // Asked now, for when it is answered the world may be gone.
    this.#room = logWriterOf(world)
    this.#at = world.now()
    return world
  }

  /** It is answered. What belongs to no world, for want of a key or a good Host, is kept with that of `fallback`. */
  end(fallback: () => World) {
    if (this.#target.isUnrecorded && this.#res.statusCode < 400) return
    if (observes(this.#req)) return
    const room = this.#room ?? this.#roomOf(fallback)
    if (room) record(room, this.#logged())
  }

  #roomOf(fallback: () => World): LogWriter | undefined {
    try {
      this.in(fallback())
      return this.#room
    } catch {
      // Its data cannot be read, which the answer has told already.
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
      machineAt: machineNow() - Math.round(durationMs),
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
