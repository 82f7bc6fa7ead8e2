import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { CallTarget } from '../controls/faults/about.ts'
import { DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { Lazy } from '../words/lazy.ts'
import { methodsOf } from '../words/operation.ts'
import { Problem, problem } from '../words/problem.ts'
import { redactSecrets } from '../words/redact.ts'
import type { Route } from '../world/noun.ts'
import { asProblem } from '../world/storage/transactions.ts'
import type { World } from '../world/world.ts'
import {
  type AdmissionOptions,
  type Admit,
  type AdmittedRequest,
  type AnswerHead,
  admitSend,
  type Handler,
  isObserver,
  pathOf,
} from './admission.ts'
import { refusalOf, write, writeProblem } from './answer.ts'
import { parseBody, readBody } from './body.ts'
import { Exchange } from './exchange.ts'
import { type CallerOptions, Incoming } from './incoming.ts'
import { takeOriginForm, takePrefix } from './namespace.ts'
import { perform, undocumented } from './perform.ts'
import type { Target } from './targets.ts'
import { type FaultResult, underFault } from './under-fault.ts'

export interface AppOptions extends AdmissionOptions, CallerOptions {
  admit: Admit
  /** Called after each answer, or after the connection has ended without one. */
  onAnswered: (req: AdmittedRequest, res: ServerResponse, target: AnsweredTarget, head: AnswerHead) => void
  targets: readonly Target[]
  /** Loads the route of an operation. */
  routeOf: (target: Target) => Promise<Route>
  /** Selects the fault for a call. Evaluated after key and rate limit, before everything else. */
  faultOf: (world: World, target: Target, targetOf: () => Promise<CallTarget>) => FaultResult
  checkAnswers: boolean
  onFault: (error: unknown, doing: string) => void
}

/**
 * Handles all requests. Paths without parameters are looked up in a map, others by Express, which is loaded with the
 * first request that needs it.
 */
export function createApp(options: AppOptions): RequestListener {
  const handlers = new Map(options.targets.map((target) => [target, handlerOf(options, target)]))
  const exact = new Map<string, Handler>()
  for (const [target, handler] of handlers)
    if (!target.path.includes('{'))
      for (const method of methodsOf(target)) exact.set(`${method} ${target.path}`, handler)
  const refuse = (refusal: (req: AdmittedRequest) => Problem) => refusalHandler(options, refusal)
  const search = new Lazy(async () => (await import('./search.ts')).createSearch(handlers, refuse))
  return (req, res) => {
    takeOriginForm(req)
    if (req.url!.startsWith('/ns/')) takePrefix(req)
    const handler = exact.get(`${req.method} ${req.url}`)
    if (handler) return void handler(req, res)
    if (search.value) return search.value(req, res)
    search.load().then(
      (find) => find(req, res),
      (error) => refuse(() => error)(req, res),
    )
  }
}

type Guarded = Pick<
  Target,
  'id' | 'band' | 'path' | 'idempotency' | 'problems' | 'access' | 'isUnrecorded' | 'isOfProcess'
>

/** The operation of an answered call. */
export type AnsweredTarget = Pick<Guarded, 'id' | 'path' | 'access'>

/** The placeholder operation of requests that match no route. */
const NO_OPERATION: Guarded = {
  id: 'no operation',
  band: 'other',
  path: '',
  access: 'anyone',
  problems: ['not_found', 'method_not_allowed', 'rate_limit_exceeded'],
}

function handlerOf(options: AppOptions, target: Target): Handler {
  let route: Route | undefined
  // A fault may need the body before the action does.
  const bytesOf = (req: AdmittedRequest) => (req.bytes ??= readBody(req, target))
  const answer = async (world: World, req: AdmittedRequest, res: ServerResponse, head: AnswerHead) => {
    route ??= await options.routeOf(target)
    if (req.headers.expect !== undefined) checkExpectation(req)
    const body = parseBody(req, await bytesOf(req), target)
    if (target.band === 'send' && body !== undefined) admitSend(options, world, body, head)
    const incoming = new Incoming(req, res, head, body, options)
    return write(res, head, await perform(world, route, incoming, options), {
      stopping: options.signal,
      whenShowable: () => world.whenShowable(),
    })
  }
  const targetOf = async (req: AdmittedRequest) => {
    const { params = {}, query = {} } = req
    return { params, query: query as Record<string, unknown>, body: parseBody(req, await bytesOf(req), target) }
  }
  return guarded(options, target, (world, req, res, head) => {
    const fault = isObserver(req) ? undefined : options.faultOf(world, target, () => targetOf(req))
    if (!fault) return answer(world, req, res, head)
    return underFault(fault, { world, res, head, stopping: options.signal }, () => answer(world, req, res, head))
  })
}

/** Browsers name the type when they open a link or send a form; programs do not. */
const acceptsPage = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') ?? false

/** A refusal may show what another node would not find. */
async function shown(world: World | undefined, refusal: unknown): Promise<unknown> {
  try {
    const showable = world?.whenShowable()
    if (showable) await showable
    return refusal
  } catch (error) {
    return asProblem(error)
  }
}

/** Node answers "100-continue"; other expectations are refused. */
function checkExpectation({ headers }: IncomingMessage) {
  if (headers.expect!.toLowerCase() !== '100-continue') throw problem('expectation_failed')
}

/** Refuses requests without an operation, after the same checks of key and limit. */
const refusalHandler = (options: AppOptions, refusal: (req: AdmittedRequest) => Problem): Handler =>
  guarded(options, NO_OPERATION, async (_world, req) => {
    throw refusal(req)
  })

function guarded(
  options: AppOptions,
  target: Guarded,
  work: (world: World, req: AdmittedRequest, res: ServerResponse, head: AnswerHead) => Promise<void>,
): Handler {
  return async (req, res) => {
    const head: AnswerHead = {}
    const exchange = new Exchange(req, res, target, head)
    let world: World | undefined
    try {
      const admitted = options.admit(req, target, head, exchange, res)
      world = 'then' in admitted ? await admitted : admitted
      await work(world, req, res, head)
    } catch (thrown) {
      if (res.headersSent) return void res.destroy()
      const error = await shown(world, asProblem(world ? world.lifecycle.failed(thrown) : thrown))
      head['X-Request-Id'] ??= options.worlds.nextRequestId()
      const fault = options.checkAnswers ? (undocumented(target, error) ?? error) : error
      if (!(fault instanceof Problem))
        options.onFault(fault, `${req.method} ${redactSecrets(pathOf(req))} (${head['X-Request-Id']})`)
      writeProblem(res, head, refusalOf(fault, String(head['X-Request-Id'])), {
        asPage: target.access === 'link' && acceptsPage(req),
      })
    } finally {
      exchange.end(() => options.worlds.get(DEFAULT_NAMESPACE))
      options.onAnswered(req, res, target, head)
    }
  }
}
