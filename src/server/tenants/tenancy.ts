import type { Admit } from '../admission.ts'
import type { AppOptions } from '../app.ts'
import { callerOfControl, type TenantAdmissionOptions, tenantAdmission } from './admission.ts'
import { auditEntryOf } from './audit.ts'
import { OpenCalls } from './open-calls.ts'

/** Hooks of a shared sandbox around each call. */
export interface Tenancy {
  readonly admit: Admit
  readonly onAnswered: AppOptions['onAnswered']
}

type TenancyOptions = TenantAdmissionOptions & Pick<AppOptions, 'onFault' | 'signal'>

/** Admits by secret keys and tokens, writes the audit log, and ends calls whose credentials are revoked. */
export function createTenancy(options: TenancyOptions): Tenancy {
  const { tenants, onFault, signal } = options
  const admit = tenantAdmission(options)
  const openCalls = new OpenCalls(tenants)
  signal.addEventListener('abort', () => openCalls.stop())
  return {
    async admit(req, target, head, place, res) {
      const world = await admit(req, target, head, place, res)
      openCalls.add(req, target, { res, admitAgain: () => callerOfControl(options, req, target) })
      // A stream may stay open for days.
      if (target.id.endsWith('.stream')) audit(req, res, target, head)
      return world
    },
    onAnswered(req, res, target, head) {
      openCalls.remove(req)
      audit(req, res, target, head)
    },
  }

  function audit(...call: Parameters<typeof auditEntryOf>) {
    const entry = auditEntryOf(...call)
    if (entry) tenants.registry.record(entry).catch((error) => onFault(error, 'writing the audit log'))
  }
}
