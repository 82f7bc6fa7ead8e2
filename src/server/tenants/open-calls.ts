import type { ServerResponse } from 'node:http'
import type { Tenants } from '../../world/tenants/tenants.ts'
import { type AdmissionTarget, type AdmittedRequest, isServiceCall } from '../admission.ts'

interface OpenCall {
  readonly res: ServerResponse
  /** Rejects if the caller would no longer be admitted. */
  readonly admitAgain: () => Promise<unknown>
}

/** Ends streams and waits of the control plane whose token is revoked, or whose namespace expires, while they are open. */
export class OpenCalls {
  readonly #calls = new Map<AdmittedRequest, OpenCall>()
  readonly #stopListening: () => void

  constructor(tenants: Tenants) {
    this.#stopListening = tenants.registry.onChange((namespace) => this.#check(namespace))
  }

  add(req: AdmittedRequest, target: AdmissionTarget, call: OpenCall) {
    // The calls that revoke credentials outlive their own.
    if (!isServiceCall(req) && !target.id.startsWith('namespaces.')) this.#calls.set(req, call)
  }

  remove(req: AdmittedRequest) {
    this.#calls.delete(req)
  }

  stop() {
    this.#stopListening()
  }

  #check(namespace: string) {
    for (const [{ identity }, { res, admitAgain }] of this.#calls)
      if (identity?.namespace === namespace) admitAgain().catch(() => res.destroy())
  }
}
