import { connect, type Socket } from 'node:net'

export interface Request {
  method: string
  path: string
  body?: string
  /** The API key, or a new one for each request; `sk_sandbox_default` by default. */
  key?: string | (() => string)
}

/** Measures the answers per second of a local server over kept-alive connections, and their 99th percentile, ms. */
export async function underLoad(port: number, request: Request, connections: number, ms: number) {
  const times: number[] = []
  const from = performance.now()
  const goOn = () => performance.now() < from + ms
  await Promise.all(
    Array.from({ length: connections }, () => ask(port, request, goOn, (took) => void times.push(took))),
  )
  const perSecond = (times.length * 1000) / (performance.now() - from)
  return { perSecond, p99Ms: percentile(times, 0.99) }
}

export const throughput = async (...load: Parameters<typeof underLoad>): Promise<number> =>
  (await underLoad(...load)).perSecond

/** Sends at a fixed rate, and measures the 99th percentile of the answers from the time that each request was due, ms. */
export async function atRate(port: number, request: Request, perSecond: number, ms: number): Promise<number> {
  const times: number[] = []
  const from = performance.now()
  let sent = 0
  const nextDueAt = () => {
    const dueAt = from + (sent++ * 1_000) / perSecond
    return dueAt < from + ms && dueAt
  }
  const connections = Array.from({ length: 64 }, () => ask(port, request, nextDueAt, (took) => void times.push(took)))
  await Promise.all(connections)
  return percentile(times, 0.99)
}

/** Sends exactly this number of requests. */
export async function send(port: number, request: Request, connections: number, times: number): Promise<void> {
  let left = times
  await Promise.all(Array.from({ length: connections }, () => ask(port, request, () => left-- > 0)))
}

/** Measures requests one after another, ms each. */
export async function latencies(port: number, requests: readonly Request[]): Promise<number[]> {
  const times: number[] = []
  for (const request of requests) {
    const started = performance.now()
    await send(port, request, 1, 1)
    times.push(performance.now() - started)
  }
  return times
}

/**
 * Sends requests over one connection, each after the whole answer to the one before. `goOn` may return the time at which the next
 * one is due. Any answer but a 2xx is an error.
 */
function ask(
  port: number,
  request: Request,
  goOn: () => boolean | number,
  answered: (ms: number) => void = () => {},
): Promise<void> {
  const bytes = typeof request.key === 'function' ? undefined : bytesOf(port, request)
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    const write = () => void socket.write(bytes ?? bytesOf(port, request))
    let pending = ''
    let from = 0
    const next = () => {
      const go = goOn()
      from = typeof go === 'number' ? go : performance.now()
      const waitMs = from - performance.now()
      if (waitMs > 0) return void setTimeout(write, waitMs)
      if (go !== false) return write()
      socket.end()
      resolve()
    }
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('connect', next)
    socket.on('data', (chunk: string) => {
      pending += chunk
      const length = answerLength(pending)
      if (length === undefined || pending.length < length) return
      if (!pending.startsWith('HTTP/1.1 2')) return void socket.destroy(new Error(pending.slice(0, 400)))
      pending = pending.slice(length)
      answered(performance.now() - from)
      next()
    })
  })
}

function bytesOf(port: number, { method, path, body = '', key = 'sk_sandbox_default' }: Request): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Authorization: Bearer ${typeof key === 'function' ? key() : key}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The length of a whole answer; undefined before it is there. */
function answerLength(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const match = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (match) return end + 4 + Number(match[1])
  const last = /\r\ntransfer-encoding: *chunked/i.test(head) ? text.indexOf('\r\n0\r\n\r\n', end) : -1
  return last < 0 ? undefined : last + 7
}

/** Asks one request after another until the work is done. Returns the time of each answer, ms. */
export async function latenciesDuring(port: number, request: Request, work: Promise<unknown>): Promise<number[]> {
  let isDone = false
  const over = work.finally(() => {
    isDone = true
  })
  const times: number[] = []
  while (!isDone) times.push(...(await latencies(port, [request])))
  await over
  return times
}

/**
 * Runs all in turn, so that a noisy machine disturbs each alike. Returns the results of this number of rounds; a round before
 * them warms up.
 */
export async function alternate<Results extends object>(
  rounds: number,
  runs: { readonly [Name in keyof Results]: () => Promise<Results[Name]> },
): Promise<{ [Name in keyof Results]: Results[Name][] }> {
  const results = {} as { [Name in keyof Results]: Results[Name][] }
  for (let round = 0; round <= rounds; round++)
    for (const name of Object.keys(runs) as (keyof Results)[]) {
      const result = await runs[name]()
      if (round === 0) results[name] = []
      else results[name].push(result)
    }
  return results
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!

export const median = (values: readonly number[]): number => percentile(values, 0.5)
