import type { RequestListener } from 'node:http'
import { fetchApi } from '../http/fetch-api.ts'
import { answerInProcess, inLowerCase } from '../http/in-process.ts'
import { areTicksFaked } from '../http/real-ticks.ts'
import { isThisMachine } from '../http/request.ts'

/** The type of `fetch` where this is compiled; anything where there are no types of it. */
// biome-ignore lint/suspicious/noExplicitAny: a consumer without types of fetch has no opinion on them
export type Fetch = typeof globalThis extends { fetch: infer F } ? F : (input: any, init?: any) => Promise<any>

/** The headers that Node's fetch adds. */
const DEFAULT_HEADERS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }

/**
 * A `fetch` that calls this emulator without a socket. It takes URLs of the emulator, and paths; other hosts are
 * unreachable.
 */
export function inProcessFetch(baseUrl: string, handler: RequestListener): Fetch {
  const { port } = new URL(baseUrl)
  return async (input, init) => {
    const { Request, Response } = fetchApi()
    const request = new Request(whole(input, baseUrl), init)
    const url = new URL(request.url)
    if (url.port !== port || url.protocol !== 'http:' || !isThisMachine(url))
      throw new TypeError(`sandbox.fetch can call ${baseUrl} only, not ${url.origin}`)
    const body = await bodyOf(request, init)
    // The Request of happy-dom keeps the case of the names.
    const own = inLowerCase(Object.fromEntries(request.headers))
    const headers: Record<string, string> = { host: url.host, ...DEFAULT_HEADERS, ...own }
    if (body !== undefined) headers['content-length'] = String(body.length)
    else if (METHODS_WITH_BODY.has(request.method)) headers['content-length'] = '0'
    const { method, signal } = request
    const target = url.pathname + url.search
    const answer = await answerInProcess(handler, { method, target, headers, body, signal }).catch((error) => {
      if (signal.aborted) throw signal.reason
      if (areTicksFaked()) throw error
      throw new TypeError('fetch failed', { cause: error })
    })
    return new Response(answer.body, answer)
  }
}

/** Paths are relative to the emulator. A Request is recognised by its fields, because each realm has its own class. */
export const whole = (input: string | URL | Request, baseUrl: string): URL | Request =>
  typeof input === 'object' && 'url' in input ? input : new URL(input, baseUrl)

/** Node sends `Content-Length: 0` for these without a body. */
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Text bodies need not be read as a stream. */
async function bodyOf(request: Request, init: RequestInit | undefined): Promise<Uint8Array | undefined> {
  if (request.body === null) return undefined
  if (typeof init?.body === 'string') return Buffer.from(init.body)
  return new Uint8Array(await request.arrayBuffer())
}
