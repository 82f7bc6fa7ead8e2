import type { RequestListener } from 'node:http'
import type { Sender } from '../client/call.ts'
import { type HttpAnswer, Unreachable } from '../http/exchange.ts'
import { answerInProcess, wholeBody } from '../http/in-process.ts'
import { Limit } from '../http/limit.ts'
import { areTicksFaked } from '../http/real-ticks.ts'

/** Lets the emulator of this process answer a client without a connection, which would double the cost of each call. */
export const inProcessSender =
  (handler: RequestListener): Sender =>
  async ({ request: { method, url, headers, body, timeoutMs, signal } }) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const limit = new Limit(timeoutMs, signal)
    try {
      const answer = await answerInProcess(handler, {
        method,
        target: url.pathname + url.search,
        headers: {
          host: url.host,
          ...inSmallLetters(headers),
          ...(bytes && { 'content-length': String(bytes.length) }),
        },
        body: bytes,
        signal: limit.signal,
      })
      return { ...answer, headers: Object.fromEntries(answer.headers), body: await wholeBody(answer) } as HttpAnswer
    } catch (error) {
      if (areTicksFaked()) throw error
      const cause: NodeJS.ErrnoException = limit.signal.aborted ? limit.signal.reason : error
      throw new Unreachable(url, cause, cause.code !== 'ECONNREFUSED')
    } finally {
      limit.end()
    }
  }

const inSmallLetters = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
