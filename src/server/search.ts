import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { type Problem, problem } from '../words/problem.ts'
import type { Route } from '../world/noun.ts'
import { type Asked, pathOf } from './admission.ts'
import type { Handler } from './app.ts'

type Refuse = (refusal: (req: Asked) => Problem) => Handler

/** Express: finds the handler of a request, or says what there is instead. */
export function createSearch(handlers: ReadonlyMap<Route, Handler>, refuse: Refuse): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)
  const all = [...handlers.keys()]
  for (const [path, routes] of byPath(all)) {
    const entry = app.route(path.replace(/\{(\w+)\}/g, ':$1'))
    const wrongMethod = refuse((req) => methodProblem(req, routes))
    // Express would answer HEAD like GET, and some GETs do something.
    entry.head(wrongMethod)
    for (const route of routes) entry[route.operation.method](handlers.get(route)!)
    entry.all(wrongMethod)
  }
  app.use(refuse((req) => routeProblem(req, all)))
  // Express itself refuses a path that is not valid percent-encoding.
  app.use((error: Error, req: Request, res: Response, _next: NextFunction) =>
    refuse(() => problem('validation_error', `The path cannot be read: ${error.message}.`))(req, res),
  )
  return app
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.operation.path, [...(paths.get(route.operation.path) ?? []), route])
  return paths
}

function methodProblem(req: IncomingMessage, routes: readonly Route[]): Problem {
  const allow = routes.map(({ operation }) => operation.method.toUpperCase()).join(', ')
  return problem('method_not_allowed', `${req.method} is not possible on ${pathOf(req)}. Use ${allow}.`, { allow })
}

const KNOWN_ROUTES_SHOWN = 8

function routeProblem(req: IncomingMessage, routes: readonly Route[]): Problem {
  const near = routes.filter(({ operation }) => operation.path.split('/')[2] === pathOf(req).split('/')[2])
  const known = near.map(({ operation }) => `${operation.method.toUpperCase()} ${operation.path}`)
  const hint = known.length > 0 ? ` Known here: ${known.slice(0, KNOWN_ROUTES_SHOWN).join(', ')}.` : ''
  return problem('not_found', `No route ${req.method} ${pathOf(req)}.${hint}`)
}
