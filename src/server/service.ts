import type { RequestListener } from 'node:http'
import { faultOnCall } from '../controls/faults/calls.ts'
import { rateLimitsOf } from '../controls/world/rate-limits.ts'
import { sendLimit } from '../service/billing/actions.ts'
import { channelOfSend } from '../service/channels/actions.ts'
import { pause } from '../world/machine-time.ts'
import type { Route } from '../world/noun.ts'
import { type AdmissionOptions, openAdmission } from './admission.ts'
import { type AppOptions, createApp } from './app.ts'
import { ownRoutes } from './own-routes.ts'
import { Metrics } from './probes/metrics.ts'
import { type Target, targets } from './targets.ts'
import type { Tenancy } from './tenants/tenancy.ts'

/** Loading blocks the process, so requests are answered for so long between two pieces; in ms of the machine. */
const BETWEEN_MS = 10

/** The first requests of many tests have paths without parameters, and would wait for the router without need. In ms of the machine. */
const BEFORE_SEARCH_MS = 250

type ServiceOptions = Omit<AppOptions, 'targets' | 'routeOf' | 'faultOf' | 'admit' | 'onAnswered' | 'allowanceOf'> &
  Omit<AdmissionOptions, 'allowanceOf'> & {
    /** Admits by secret keys, in a shared sandbox. */
    tenancyOf?: ((options: AdmissionOptions) => Tenancy) | undefined
    /** Stops the server without waiting for this request. */
    stop: () => void
  }

export interface Service {
  readonly answer: RequestListener
  /** Loads remaining modules in pieces, between which requests are answered. */
  loadAll(): Promise<void>
}

/**
 * Answers the whole interface. The nouns are loaded with the first request that needs them; the server's own operations
 * and admission need none of them. `npm run bench start` shows what a start gains.
 */
export function createService(options: ServiceOptions): Service {
  const { worlds, signal } = options
  const metrics = new Metrics()
  const own = ownRoutes(options.limits, options.stop, metrics)

  async function routeOf({ id }: Target): Promise<Route> {
    const isMeant = ({ operation }: Route) => operation.id === id
    const ownRoute = own.find(isMeant)
    if (ownRoute) return ownRoute
    await worlds.loadNouns()
    return worlds.nouns.routes.find(isMeant)!
  }

  const admission: AdmissionOptions = {
    ...options,
    allowanceOf: (world, band, body) => ({
      factor: band === 'send' ? sendLimit(world, body ? channelOfSend(world, body) : undefined) : 1,
      own: rateLimitsOf(world),
    }),
  }
  const tenancy = options.tenancyOf?.(admission)
  const answer = createApp({
    ...options,
    ...admission,
    admit: tenancy?.admit ?? openAdmission(admission),
    onAnswered(req, res, target, head) {
      metrics.answered(target.id, res.statusCode)
      tenancy?.onAnswered(req, res, target, head)
    },
    targets,
    routeOf,
    faultOf: faultOnCall,
  })

  async function loadAll() {
    if (!(await pause(BETWEEN_MS, signal))) return
    await worlds.loadNouns()
    if (await pause(BEFORE_SEARCH_MS, signal)) await import('./search.ts')
  }

  return { answer, loadAll }
}
