import type { AsyncAction } from '../../world/noun.ts'
import type { showMetrics } from './contract.ts'
import type { Metrics } from './metrics.ts'

export const probeActions = (numbers: Metrics) => ({
  metrics: (async ({ host }) => numbers.text(host)) satisfies AsyncAction<typeof showMetrics>,
})
