import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { CallInstant } from '../../scenarios/deliveries.ts'
import { machineNow } from '../../world/machine-time.ts'
import { httpTime } from '../../world/time/clock.ts'
import { isAccepted } from '../post.ts'

/** A wait for a call of the application. */
interface Hold {
  /** Resolves when a call has come to the instant, where it stays. */
  reached: Promise<void>
  /** Drops the calls that are held: what was not carried out never is. */
  end(): void
}

/**
 * By a page of 502, and then by pages of 429 with a date in Retry-After; by nothing; or once by a reset, if the call is accepted:
 * after a refusal, an application may try something else, which must be disturbed, too.
 */
export type Replacement = 'page' | 'dated page' | 'nothing' | 'reset'

/** Passes requests on to the sandbox, and can hold the application's calls. */
export interface Gate {
  answer: RequestListener
  /** Lets all requests wait until the returned function is called. */
  pause(): () => void
  hold(at: CallInstant): Hold
  /** A call of the application has no answer yet, and will get one. */
  readonly isBusy: boolean
  /** A call of the application waits for an answer that never comes. */
  readonly isWithholding: boolean
  /** Faults whose answers a proxy replaces. */
  readonly replaced: Map<string, Replacement>
  /** Ends the connections of calls that wait for nothing. */
  endWithheld(): void
  /** Request ids of calls whose answers the application never got. */
  readonly unanswered: ReadonlySet<string>
}

export function gateBefore(sandbox: RequestListener): Gate {
  const unanswered = new Set<string>()
  /** Takes a request, or returns false. */
  let hold: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined
  let waiting: (() => void)[] | undefined
  let calls = 0
  const withheld = new Set<ServerResponse>()
  const replaced: Gate['replaced'] = new Map()
  const withhold = (res: ServerResponse, id: string) => {
    unanswered.add(id)
    withheld.add(res)
    res.once('close', () => withheld.delete(res))
    return res
  }
  const pass: RequestListener = (req, res) => {
    if (hold?.(req, res)) return
    if (replaced.size > 0) replaceAnswer(res, replaced, withhold, (id) => unanswered.add(id))
    sandbox(req, res)
  }
  return {
    unanswered,
    replaced,
    get isBusy() {
      return calls > withheld.size
    },
    get isWithholding() {
      return withheld.size > 0
    },
    endWithheld() {
      for (const res of withheld) res.destroy()
    },
    answer(req, res) {
      if (isOfService(req)) {
        calls++
        res.once('close', () => calls--)
      }
      if (waiting) waiting.push(() => pass(req, res))
      else pass(req, res)
    },
    pause() {
      const requests: (() => void)[] = []
      waiting = requests
      return () => {
        waiting = undefined
        for (const go of requests.splice(0)) go()
      }
    },
    hold(at) {
      const held: ServerResponse[] = []
      const { promise: reached, resolve } = Promise.withResolvers<void>()
      hold = (req, res) => {
        if (!isOfService(req) || isRead(req) !== (at === 'read')) return false
        // Only the first call is carried out: the application is killed before its next one.
        if (held.push(res) > 1 || at !== 'effect') {
          resolve()
          return true
        }
        keepAnswer(res, (id) => {
          unanswered.add(id)
          resolve()
        })
        sandbox(req, res)
        return true
      }
      return {
        reached,
        end() {
          hold = undefined
          for (const res of held) res.destroy()
        },
      }
    },
  }
}

const isOfService = ({ url }: IncomingMessage) => url!.includes('/v1/')
/** Reads have no effect. */
const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

const pageOf = (title: string) =>
  `<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`
/** Such a date has no milliseconds: it is one to two seconds later, and never too early. */
const RETRY_AFTER_MS = 2_000

/** Replaces the answer if a fault asks for it: by a page of a proxy, by nothing as long as the caller waits, or by a reset. */
function replaceAnswer(
  res: ServerResponse,
  replaced: Gate['replaced'],
  withhold: (res: ServerResponse, id: string) => ServerResponse,
  onLost: (requestId: string) => void,
) {
  const { writeHead, end } = res
  res.writeHead = ((status: number, head: Record<string, string>) => {
    const fault = head['X-Sandbox-Fault'] ?? ''
    const replacement = replaced.get(fault)
    const id = head['X-Request-Id']!
    if (replacement === undefined || (replacement === 'reset' && !isAccepted({ status })))
      return writeHead.call(res, status, head)
    if (replacement === 'nothing') {
      res.end = (() => withhold(res, id)) as typeof res.end
      return res
    }
    if (replacement === 'reset') {
      replaced.delete(fault)
      onLost(id)
      res.end = (() => {
        res.socket?.resetAndDestroy()
        return res
      }) as typeof res.end
      return writeHead.call(res, status, head)
    }
    const isDated = replacement === 'dated page'
    const page = pageOf(isDated ? '429 Too Many Requests' : '502 Bad Gateway')
    replaced.set(fault, 'dated page')
    res.end = (() => end.call(res, page, 'utf8')) as typeof res.end
    return writeHead.call(res, isDated ? 429 : 502, {
      ...{ 'Content-Type': 'text/html', 'Content-Length': page.length },
      ...(isDated && { 'Retry-After': httpTime(machineNow() + RETRY_AFTER_MS) }),
    })
  }) as typeof writeHead
}

/** Keeps an answer from being sent when it is complete. */
function keepAnswer(res: ServerResponse, onKept: (requestId: string) => void) {
  const { writeHead } = res
  let id = ''
  res.writeHead = ((status: number, head: Record<string, string>) => {
    id = head['X-Request-Id']!
    return writeHead.call(res, status, head)
  }) as typeof writeHead
  res.end = (() => {
    onKept(id)
    return res
  }) as typeof res.end
}
