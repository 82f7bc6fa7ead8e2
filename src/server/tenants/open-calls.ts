import type { ServerResponse } from 'node:http'
import { problem } from '../../words/problem.ts'
import type { Tenants } from '../../world/tenants/tenants.ts'
import { type AdmissionTarget, type AdmittedRequest, isServiceCall } from '../admission.ts'

/** Streams and waits of one namespace that are open at the same time. Others need connections too. */
export const MAX_STREAMS = 200

/** Calls of one namespace that hold a copy of its world in memory, until it is stored or the caller has received it. */
export const MAX_COPIES = 4
const COPIES = ['snapshots.save', 'snapshots.restore', 'snapshots.export', 'world.dump']

const KINDS = {
  long: { most: MAX_STREAMS, what: 'open streams and waits', matches: (id: string) => /\.(stream|wait)$/.test(id) },
  copy: {
    most: MAX_COPIES,
    what: 'calls in progress that copy its world',
    matches: (id: string) => COPIES.includes(id),
  },
}
type Kind = keyof typeof KINDS

interface OpenCall {
  readonly kind: Kind | undefined
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

  /** Refuses one stream, wait or copy too many of a tenant. */
  add(req: AdmittedRequest, { id }: AdmissionTarget, call: Omit<OpenCall, 'kind'>) {
    const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one].matches(id))
    if (kind && req.identity?.tenant !== undefined) this.#refuseOneMore(req.identity.namespace, kind)
    // The calls that revoke credentials outlive their own.
    if (!isServiceCall(req) && !id.startsWith('namespaces.')) this.#calls.set(req, { ...call, kind })
  }

  remove(req: AdmittedRequest) {
    const remove = () => this.#calls.delete(req)
    const { kind, res } = this.#calls.get(req) ?? {}
    // A caller may read slowly.
    if (kind === 'copy' && !res!.writableFinished && !res!.destroyed) res!.once('close', remove)
    else remove()
  }

  stop() {
    this.#stopListening()
  }

  #refuseOneMore(namespace: string, kind: Kind) {
    const { most, what } = KINDS[kind]
    let open = 0
    for (const [{ identity }, call] of this.#calls) if (call.kind === kind && identity?.namespace === namespace) open++
    if (open < most) return
    throw problem(
      'too_many_open_files',
      `The namespace ${namespace} has ${most} ${what}, which is the limit. Close some, then repeat the request.`,
      { [kind === 'long' ? 'max_streams' : 'max_copies']: most },
    )
  }

  #check(namespace: string) {
    for (const [{ identity }, { res, admitAgain }] of this.#calls)
      if (identity?.namespace === namespace) admitAgain().catch(() => res.destroy())
  }
}
