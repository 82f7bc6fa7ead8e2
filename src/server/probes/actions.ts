import { problem } from '../../words/problem.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { showLive, showMetrics, showReady } from './contract.ts'
import type { Metrics } from './metrics.ts'

export interface ProbeOptions {
  /** Whether the sandbox takes requests now. */
  isReady: () => boolean
  metrics: Metrics
}

export const probeActions = ({ isReady, metrics }: ProbeOptions) => ({
  live: (async () => ({ status: 'ok' })) satisfies AsyncAction<typeof showLive>,
  ready: (async ({ host }) => {
    if (!isReady()) throw problem('shutting_down')
    // A registry that cannot be read refuses everybody.
    await host.tenants?.registry.nextExpiry()
    return { status: 'ok' }
  }) satisfies AsyncAction<typeof showReady>,
  metrics: (async ({ host }) => metrics.text(host)) satisfies AsyncAction<typeof showMetrics>,
})
