import { nouns } from '../registry/nouns.ts'
import type { Operation } from '../words/operation.ts'
import { RateLimits } from './limits.ts'
import { ownRoutes } from './own-routes.ts'
import { Metrics } from './probes/metrics.ts'

/** The part of an operation that finds it and admits or refuses a request before its schemas are loaded. */
export type Target = Omit<Operation, 'params' | 'body' | 'query' | 'examples' | 'output'>

const routes = nouns.flatMap((noun) => noun.routes ?? [])

/** All operations in matching order. The build replaces them by plain values (scripts/build/baked.ts). */
export const targets: readonly Target[] = [...ownRoutes(new RateLimits(), () => {}, new Metrics()), ...routes].map(
  ({ operation: { params: _p, body: _b, query: _q, examples: _e, output: _o, ...target } }) => target,
)
