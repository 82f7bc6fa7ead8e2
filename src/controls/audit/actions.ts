import { problem } from '../../words/problem.ts'
import type { AsyncAction } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { listAudit } from './contract.ts'

export const list: AsyncAction<typeof listAudit> = async ({ host }, { query }) => {
  if (!host.tenants) throw problem('sandbox_not_shared')
  const entries = await host.tenants.registry.audit(query)
  return {
    entries: entries.map(({ at, requestId, ...entry }) => ({ ...entry, at: isoTime(at), request_id: requestId })),
  }
}
