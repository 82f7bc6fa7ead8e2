import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { getOrAdd } from '../words/get-or-add.ts'
import { methodsOf, pathNames, requestLineOf } from '../words/operation.ts'
import { type Problem, problem } from '../words/problem.ts'
import { suggest } from '../words/suggest.ts'
import { type AdmittedRequest, type Handler, pathOf } from './admission.ts'
import type { Target } from './targets.ts'

type Refuse = (refusal: (req: AdmittedRequest) => Problem) => Handler

/**
 * Finds the handler with Express, or describes why no route matches. Express tries one route after the other, so each noun
 * has an app of its own; a path that none begins with is compared with all routes.
 */
export function createSearch(handlers: ReadonlyMap<Target, Handler>, refuse: Refuse): RequestListener {
  // Of `/logs/stream` and `/logs/{id}`, the one without a parameter is meant.
  const byParameters = Map.groupBy(handlers.keys(), ({ path }) => pathNames(path).length)
  const all = [...byParameters.keys()].sort((a, b) => a - b).flatMap((count) => byParameters.get(count)!)
  const byNoun = Map.groupBy(all, ({ path }) => nounOf(path))
  const apps = new Map<string | undefined, RequestListener>()
  const noPath = refuse((req) => routeProblem(req, all))
  return (req, res) => {
    // Express would find the path in other targets, too, and admission would take `ftp:///v1/messages` for a control call.
    if (!/^\/[^#]*$/.test(req.url!)) return void noPath(req, res)
    const noun = nounOf(req.url!)
    const targets = byNoun.get(noun)
    const key = targets && noun
    getOrAdd(apps, key, () => createApp(targets ?? all, all, handlers, refuse))(req, res)
  }
}

/** The first two segments of a path: `/v1/messages`. */
const nounOf = (path: string): string => /^\/[^/?]*(\/[^/?]*)?/.exec(path)?.[0] ?? ''

function createApp(
  targets: readonly Target[],
  all: readonly Target[],
  handlers: ReadonlyMap<Target, Handler>,
  refuse: Refuse,
): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)
  // `/_sandbox/rules/` has an empty id and must not mean all rules.
  app.set('strict routing', true)
  for (const [path, ofPath] of Map.groupBy(targets, ({ path }) => path)) {
    const entry = app.route(path.replace(/\{(\w+)\}/g, ':$1'))
    const wrongMethod = refuse((req) => methodProblem(req, ofPath))
    for (const target of ofPath) entry[target.method](handlers.get(target)!)
    entry.all(wrongMethod)
  }
  app.use(refuse((req) => routeProblem(req, all)))
  // Express refuses invalid percent-encoding.
  app.use((error: Error, req: Request, res: Response, _next: NextFunction) =>
    refuse(() => problem('validation_error', `The path cannot be read: ${error.message}.`))(req, res),
  )
  return app
}

function methodProblem(req: IncomingMessage, targets: readonly Target[]): Problem {
  const allow = targets.flatMap(methodsOf).join(', ')
  return problem('method_not_allowed', `${req.method} is not possible on ${pathOf(req)}. Use ${allow}.`, { allow })
}

const KNOWN_ROUTES_SHOWN = 8

function routeProblem(req: IncomingMessage, targets: readonly Target[]): Problem {
  const path = pathOf(req)
  const noun = path.split('/')[2]
  const near = targets.filter((target) => target.path.split('/')[2] === noun)
  const guess = noun === undefined || near.length === 0 ? suggest(path, pathsLike(path, targets)) : ''
  return problem('not_found', `No route ${req.method} ${path}${guess || knownHere(near)}`)
}

function knownHere(near: readonly Target[]): string {
  if (near.length === 0) return '.'
  const calls = near.map(requestLineOf)
  return `. Known here: ${calls.slice(0, KNOWN_ROUTES_SHOWN).join(', ')}.`
}

/** Known paths, with the ids of the requested one filled in. */
function pathsLike(path: string, targets: readonly Target[]): string[] {
  const parts = path.split('/')
  return targets.map(({ path }) =>
    path
      .split('/')
      .map((part, i) => (part.startsWith('{') ? (parts[i] ?? part) : part))
      .join('/'),
  )
}
