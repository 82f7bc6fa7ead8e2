import { problem } from '../../words/problem.ts'
import { usedBytes } from '../../world/snapshots/snapshots.ts'
import type { World } from '../../world/world.ts'
import type { AdmissionTarget, AdmittedRequest, AnswerHead, Identity } from '../admission.ts'
import { type RateLimits, rateLimitProblem } from '../limits.ts'

/** Enforces the send limit of a namespace, which its tenant cannot change. */
export function countSend(limits: RateLimits, { namespace, limits: own }: Identity, head: AnswerHead) {
  const send = own?.sendsPerMinute ?? null
  if (send === null) return
  const window = limits.take(`tenant ${namespace}`, 'send', { own: { enabled: true, limits: { send } } })
  if (window.remaining < Number(head['X-RateLimit-Remaining'])) {
    head['X-RateLimit-Limit'] = window.limit
    head['X-RateLimit-Remaining'] = window.remaining
  }
  if (window.refused) throw rateLimitProblem(window)
}

/** Refuses writes if a namespace has used up its storage, except those that free some. */
export function checkStorage(world: World, { method }: AdmittedRequest, { id }: AdmissionTarget) {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return
  const maxBytes = world.host.tenants?.limitsOf(world.namespace)?.storageBytes ?? null
  if (maxBytes === null || id.endsWith('.reset') || id.startsWith('namespaces.')) return
  const used = usedBytes(world.lifecycle.opened.db) + world.host.snapshotsOf(world).bytes
  if (used < maxBytes) return
  throw problem(
    'storage_unavailable',
    `The namespace ${world.namespace} uses ${used} bytes of its limit of ${maxBytes}; nothing was changed. Delete snapshots, reset the world, or ask the administrator for a higher limit.`,
    { max_storage_bytes: maxBytes },
  )
}
