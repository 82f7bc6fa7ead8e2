import { refuseBeyondStorage } from '../../world/tenants/storage-limit.ts'
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
  if (!id.endsWith('.reset') && !id.startsWith('namespaces.')) refuseBeyondStorage(world)
}
