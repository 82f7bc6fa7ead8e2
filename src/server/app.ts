import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Operation } from '../words/operation.ts'
import { Problem, problem } from '../words/problem.ts'
import type { Caller, Route } from '../world/noun.ts'
import { asProblem } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { type AdmissionOptions, admit, type Head } from './admission.ts'
import { bug, leaving, write, writeProblem } from './answer.ts'
import { readBody } from './body.ts'
import { DEFAULT_NAMESPACE } from './keys.ts'
import { type Incoming, perform, undocumented } from './perform.ts'

export interface AppOptions extends AdmissionOptions {
  routes: readonly Route[]
  checkAnswers: boolean
  /** Aborts when the server stops. */
  signal: AbortSignal
  onFault: (error: unknown, doing: string) => void
}

/** Express, with one handler for every operation. */
export function createApp(options: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)
  for (const [path, routes] of byPath(options.routes)) {
    const entry = app.route(path.replace(/\{(\w+)\}/g, ':$1'))
    const wrongMethod = refusing(options, (req) => methodProblem(req, routes))
    // Express would answer HEAD like GET, and some GETs do something.
    entry.head(wrongMethod)
    for (const route of routes) entry[route.operation.method](answering(options, route))
    entry.all(wrongMethod)
  }
  app.use(refusing(options, (req) => routeProblem(req, options.routes)))
  // Express itself refuses a path that is not valid percent-encoding.
  app.use((error: Error, req: Request, res: Response, _next: NextFunction) =>
    refusing(options, () => problem('validation_error', `The path cannot be read: ${error.message}.`))(req, res),
  )
  return app
}

type Handler = (req: Request, res: Response) => Promise<void>
type Target = Pick<Operation, 'id' | 'band' | 'path' | 'idempotency' | 'problems' | 'openedAsLink'>

/** What a request meant that no operation takes. */
const NO_OPERATION: Target = {
  id: 'no operation',
  band: 'other',
  path: '',
  problems: ['not_found', 'method_not_allowed', 'rate_limit_exceeded'],
}

/** Answers the requests of one operation. */
const answering = (options: AppOptions, route: Route): Handler =>
  guarded(options, route.operation, async (world, req, res, head) => {
    const incoming = incomingOf(req, res, head, await readBody(req, route.operation.maxBodyBytes), options.signal)
    await write(res, head, await perform(world, route, incoming, options), options.signal)
  })

/** Answers requests that no operation takes, after the same checks of key and limit. */
const refusing = (options: AppOptions, refusal: (req: Request) => Problem): Handler =>
  guarded(options, NO_OPERATION, async (_world, req) => {
    throw refusal(req)
  })

function guarded(
  options: AppOptions,
  target: Target,
  work: (world: World, req: Request, res: Response, head: Head) => Promise<void>,
): Handler {
  return async (req, res) => {
    const head: Head = {}
    try {
      await work(admit(options, req, target, head), req, res, head)
    } catch (thrown) {
      if (res.headersSent) return void res.destroy()
      const error = asProblem(thrown)
      head['X-Request-Id'] ??= options.worlds.get(DEFAULT_NAMESPACE).newRequestId()
      const fault = options.checkAnswers ? (undocumented(target, error) ?? error) : error
      if (!(fault instanceof Problem)) options.onFault(fault, `${req.method} ${req.path} (${head['X-Request-Id']})`)
      writeProblem(res, head, fault instanceof Problem ? fault : bug(String(head['X-Request-Id'])))
    }
  }
}

function incomingOf(req: Request, res: Response, head: Head, body: unknown, stopping: AbortSignal): Incoming {
  return {
    params: req.params as Record<string, string>,
    // Parsing it costs something, and few operations ask.
    get query() {
      return req.query
    },
    body,
    idempotencyKey: headerOf(req, 'idempotency-key'),
    caller: callerOf(req, res, head, stopping),
  }
}

const callerOf = (req: Request, res: Response, head: Head, stopping: AbortSignal): Caller => ({
  ip: req.socket.remoteAddress ?? '',
  requestId: String(head['X-Request-Id']),
  baseUrl: `http://${req.headers.host}`,
  lastEventId: headerOf(req, 'last-event-id'),
  get signal() {
    return leaving(res, stopping)
  },
})

function headerOf(req: Request, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.operation.path, [...(paths.get(route.operation.path) ?? []), route])
  return paths
}

function methodProblem(req: Request, routes: readonly Route[]): Problem {
  const allow = routes.map(({ operation }) => operation.method.toUpperCase()).join(', ')
  return problem('method_not_allowed', `${req.method} is not possible on ${req.path}. Use ${allow}.`, { allow })
}

const KNOWN_ROUTES_SHOWN = 8

function routeProblem(req: Request, routes: readonly Route[]): Problem {
  const near = routes.filter(({ operation }) => operation.path.split('/')[2] === req.path.split('/')[2])
  const known = near.map(({ operation }) => `${operation.method.toUpperCase()} ${operation.path}`)
  const hint = known.length > 0 ? ` Known here: ${known.slice(0, KNOWN_ROUTES_SHOWN).join(', ')}.` : ''
  return problem('not_found', `No route ${req.method} ${req.path}.${hint}`)
}
