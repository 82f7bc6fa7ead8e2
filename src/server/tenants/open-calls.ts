import type { ServerResponse } from 'node:http'
import { problem } from '../../words/problem.ts'
import type { Tenants } from '../../world/tenants/tenants.ts'
import { type AdmissionTarget, type AdmittedRequest, isServiceCall } from '../admission.ts'

/** Streams and waits of one namespace that are open at the same time. Others need connections too. */
export const MAX_STREAMS = 200

const isLong = ({ id }: AdmissionTarget) => id.endsWith('.stream') || id.endsWith('.wait')

interface OpenCall {
  readonly isLong: boolean
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

  /** Refuses one stream or wait too many of a tenant. */
  add(req: AdmittedRequest, target: AdmissionTarget, call: Omit<OpenCall, 'isLong'>) {
    if (isLong(target) && req.identity?.tenant !== undefined) this.#refuseOneMore(req.identity.namespace)
    // The calls that revoke credentials outlive their own.
    if (!isServiceCall(req) && !target.id.startsWith('namespaces.'))
      this.#calls.set(req, { ...call, isLong: isLong(target) })
  }

  remove(req: AdmittedRequest) {
    this.#calls.delete(req)
  }

  stop() {
    this.#stopListening()
  }

  #refuseOneMore(namespace: string) {
    let open = 0
    for (const [{ identity }, call] of this.#calls) if (call.isLong && identity?.namespace === namespace) open++
    if (open < MAX_STREAMS) return
    throw problem(
      'too_many_open_files',
      `The namespace ${namespace} has ${MAX_STREAMS} open streams and waits, which is the limit. Close some, then repeat the request.`,
      { max_streams: MAX_STREAMS },
    )
  }

  #check(namespace: string) {
    for (const [{ identity }, { res, admitAgain }] of this.#calls)
      if (identity?.namespace === namespace) admitAgain().catch(() => res.destroy())
  }
}
