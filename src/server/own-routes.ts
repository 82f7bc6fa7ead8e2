import { showHealth, stopEmulator } from '../controls/world/contract.ts'
import { health } from '../controls/world/health.ts'
import { setRateLimits, showRateLimits } from '../controls/world/rate-limits.contract.ts'
import { changeRateLimits, rateLimitsOf } from '../controls/world/rate-limits.ts'
import * as documents from '../openapi/actions.ts'
import * as contract from '../openapi/contract.ts'
import { type Route, route } from '../world/noun.ts'
import { load, open } from './inspector/actions.ts'
import { loadInspectorFile, openInspector } from './inspector/contract.ts'
import type { RateLimits } from './limits.ts'
import { showMetrics } from './probes/contract.ts'
import type { Metrics } from './probes/metrics.ts'

/** The routes about the server itself, which belong to no noun: health, rate limits, documents, pages. */
export const ownRoutes = (limits: RateLimits, stop: () => void, metrics: Metrics): readonly Route[] => [
  route(showMetrics, async ({ host }) => metrics.text(host), 'async'),
  route(showHealth, health),
  // Without a transaction, which a full disk refuses.
  route(
    stopEmulator,
    async () => {
      stop()
      return { stopping: true as const, pid: process.pid }
    },
    'async',
  ),
  route(showRateLimits, (world) => limits.termsWith(rateLimitsOf(world))),
  route(setRateLimits, (world, { body }) => limits.termsWith(changeRateLimits(world, body))),
  route(contract.showServiceDocument, documents.serviceDocument, 'async'),
  route(contract.showControlDocument, documents.controlDocument, 'async'),
  route(contract.openServiceDocs, documents.serviceDocs, 'async'),
  route(contract.openControlDocs, documents.controlDocs, 'async'),
  route(contract.loadDocsFile, documents.docsFile, 'async'),
  route(openInspector, open, 'async'),
  route(loadInspectorFile, load, 'async'),
]
