import { once } from 'node:events'
import express, { type Express, type Request, type Response } from 'express'
import { namespaceOfToken } from '../words/link.ts'
import { type Band, isControl, type Method, type Operation } from '../words/operation.ts'
import { Problem, problem } from '../words/problem.ts'
import { Stream } from '../words/reply.ts'
import type { Route } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { parseBody } from './body.ts'
import type { Guard } from './guard.ts'
import { controlNamespaceOf, DEFAULT_NAMESPACE, namespaceOf } from './keys.ts'
import { type RateLimits, rateLimitProblem } from './limits.ts'
import { type Outcome, perform } from './perform.ts'

export interface AppOptions {
  worlds: Worlds
  routes: readonly Route[]
  guard: Guard
  limits: RateLimits
  /** Raises the limit of a band, for example with the tier. */
  limitFactor?: (world: World, band: Band) => number
  checkAnswers?: boolean
  /** Aborts when the server stops. */
  signal: AbortSignal
  onFault: (error: unknown, doing: string) => void
}

/** Express, with one handler for every operation. */
export function createApp(options: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)
  for (const [path, routes] of byPath(options.routes)) {
    const entry = app.route(path.replace(/\{(\w+)\}/g, ':$1'))
    for (const route of routes) entry[route.operation.method]((req, res) => answer(options, route, req, res))
    entry.all((req, res) =>
      refuse(
        options,
        req,
        res,
        wrongMethod(
          req,
          routes.map((route) => route.operation),
        ),
      ),
    )
  }
  app.use((req, res) => refuse(options, req, res, noSuchRoute(req, options.routes)))
  return app
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.operation.path, [...(paths.get(route.operation.path) ?? []), route])
  return paths
}

async function answer(options: AppOptions, route: Route, req: Request, res: Response) {
  const { operation } = route
  await reply(options, req, res, async () => {
    const world = admit(
      options,
      req,
      res,
      operation.band,
      operation.openedAsLink ? String(req.params.token) : undefined,
    )
    const body = await parseBody(req, res)
    const outcome = await perform(world, route, incomingOf(req, res, body, options.signal), {
      checkAnswers: options.checkAnswers ?? false,
    })
    await write(req, res, outcome, options.signal)
  })
}

/** Answers a request that no operation takes, after the same checks of key and limit. */
async function refuse(options: AppOptions, req: Request, res: Response, refusal: Problem) {
  await reply(options, req, res, async () => {
    admit(options, req, res, 'other')
    throw refusal
  })
}

async function reply(options: AppOptions, req: Request, res: Response, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (res.headersSent) return void res.destroy()
    writeProblem(options, req, res, error)
  }
}

/** Guard, key, rate limit: what every request passes first. */
function admit(options: AppOptions, req: Request, res: Response, band: Band, linkToken?: string): World {
  const { worlds, guard, limits, limitFactor } = options
  const { host, origin, authorization } = req.headers
  guard.checkHost(host)
  if (!req.path.startsWith('/v1/')) {
    guard.checkOrigin(origin, host)
    const world = worldOfLink(worlds, linkToken) ?? worlds.get(controlNamespaceOf(authorization))
    identify(res, world)
    return world
  }
  let namespace: string
  try {
    namespace = namespaceOf(authorization)
  } catch (error) {
    standing(res, limits, '', band)
    throw error
  }
  const world = worlds.get(namespace)
  identify(res, world)
  const refusal = standing(res, limits, namespace, band, limitFactor?.(world, band))
  if (refusal) throw refusal
  return world
}

/** A link makes no world: any page can have one opened. */
function worldOfLink(worlds: Worlds, token: string | undefined): World | undefined {
  const namespace = token === undefined ? undefined : namespaceOfToken(token)
  return namespace === undefined ? undefined : worlds.find(namespace)
}

const identify = (res: Response, world: World) => res.setHeader('X-Request-Id', world.newRequestId())

function standing(res: Response, limits: RateLimits, key: string, band: Band, factor?: number): Problem | undefined {
  const taken = limits.take(key, band, factor)
  res.setHeader('X-RateLimit-Limit', taken.limit)
  res.setHeader('X-RateLimit-Remaining', taken.remaining)
  res.setHeader('X-RateLimit-Reset', taken.resetAt)
  return taken.refused ? rateLimitProblem(taken) : undefined
}

function incomingOf(req: Request, res: Response, body: unknown, stopping: AbortSignal) {
  const idempotencyKey = req.headers['idempotency-key']
  return {
    params: req.params as Record<string, string>,
    query: req.query,
    body,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    caller: {
      ip: req.socket.remoteAddress ?? '',
      requestId: String(res.getHeader('X-Request-Id')),
      baseUrl: `http://${req.headers.host}`,
      lastEventId: req.get('Last-Event-ID'),
      get signal() {
        return leaving(res, stopping)
      },
    },
  }
}

function leaving(res: Response, stopping: AbortSignal): AbortSignal {
  const left = new AbortController()
  res.once('close', () => left.abort())
  return AbortSignal.any([left.signal, stopping])
}

async function write(req: Request, res: Response, { status, headers, body }: Outcome, stopping: AbortSignal) {
  if (body instanceof Stream) {
    res.writeHead(status, { ...headers, 'Cache-Control': 'no-store' })
    res.flushHeaders()
    const signal = leaving(res, stopping)
    await body.run((chunk) => writeChunk(res, chunk, signal), signal)
    res.end()
    return
  }
  if (!isControlRequest(req)) res.setHeader('Cache-Control', 'no-store')
  res.writeHead(status, body === undefined ? headers : { ...headers, 'Content-Length': body.length })
  res.end(body)
}

/** A slow reader is waited for, so that nothing piles up in memory. */
async function writeChunk(res: Response, chunk: string, signal: AbortSignal) {
  if (signal.aborted || res.write(chunk)) return
  await once(res, 'drain', { signal }).catch(() => undefined)
}

const isControlRequest = (req: Request) => isControl({ path: req.path })

function writeProblem({ worlds, onFault }: AppOptions, req: Request, res: Response, error: unknown) {
  if (!res.hasHeader('X-Request-Id')) identify(res, worlds.get(DEFAULT_NAMESPACE))
  const requestId = res.getHeader('X-Request-Id')
  const refusal = error instanceof Problem ? error : bug(String(requestId))
  if (!(error instanceof Problem)) onFault(error, `${req.method} ${req.path} (${requestId})`)
  if (typeof refusal.extra.retry_after === 'number') res.setHeader('Retry-After', refusal.extra.retry_after)
  if (typeof refusal.extra.allow === 'string') res.setHeader('Allow', refusal.extra.allow)
  if (refusal.code === 'payload_too_large') res.setHeader('Connection', 'close')
  const body = Buffer.from(JSON.stringify(refusal.body))
  res.writeHead(refusal.status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  res.end(body)
}

const bug = (request_id: string) =>
  problem(
    'internal_error',
    `The sandbox has a bug; nothing was changed. Report it with ${request_id} and the lines on stderr.`,
    {
      request_id,
    },
  )

function wrongMethod(req: Request, operations: readonly Operation[]): Problem {
  const allow = operations.map(({ method }) => method.toUpperCase()).join(', ')
  return problem('method_not_allowed', `${req.method} is not possible on ${req.path}. Use ${allow}.`, { allow })
}

function noSuchRoute(req: Request, routes: readonly Route[]): Problem {
  const method = req.method.toLowerCase() as Method
  const near = routes.filter(({ operation }) => operation.path.split('/')[2] === req.path.split('/')[2])
  const hint =
    near.length > 0
      ? ` Known here: ${near
          .map((r) => `${r.operation.method.toUpperCase()} ${r.operation.path}`)
          .slice(0, 8)
          .join(', ')}.`
      : ''
  return problem('not_found', `No route ${method.toUpperCase()} ${req.path}.${hint}`)
}
