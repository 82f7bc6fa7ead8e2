import type { ServerResponse } from 'node:http'
import { EXPORTS } from '../../controls/audit/contract.ts'
import { redactSecrets } from '../../words/redact.ts'
import { machineNow } from '../../world/machine-time.ts'
import type { AuditEntry } from '../../world/tenants/registry.ts'
import { type AdmittedRequest, type AnswerHead, isObserver, isServiceCall } from '../admission.ts'
import type { AnsweredTarget } from '../app.ts'

/**
 * The audit entry of an answered call, or of a stream that begins: of every call of the control plane by a known caller.
 * Observers such as the inspector ask often; they leave one only where they are refused or export something.
 */
export function auditEntryOf(
  req: AdmittedRequest,
  { headersSent, statusCode }: ServerResponse,
  { id, access }: Pick<AnsweredTarget, 'id' | 'access'>,
  head: AnswerHead,
): Omit<AuditEntry, 'seq'> | undefined {
  const { identity, params, method, url } = req
  if (!identity || isServiceCall(req) || access === 'anyone' || access === 'link') return undefined
  const isRefused = statusCode === 401 || statusCode === 403
  if (isObserver(req) && !isRefused && !EXPORTS.includes(id)) return undefined
  return {
    at: machineNow(),
    actor: identity.actor,
    namespace: id.startsWith('namespaces.') ? String(params?.name ?? identity.namespace) : identity.namespace,
    operation: id,
    method: method!,
    path: redactSecrets(url!),
    status: headersSent ? statusCode : null,
    requestId: String(head['X-Request-Id']),
  }
}
