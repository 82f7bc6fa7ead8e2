import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { namespaceOfLink } from '../words/link.ts'
import { patternOf, requestLineOf } from '../words/operation.ts'
import { Problem } from '../words/problem.ts'
import type { Cluster, NodeAddress } from '../world/cluster/cluster.ts'
import { unavailable } from '../world/cluster/world-log.ts'
import { after } from '../world/machine-time.ts'
import { asProblem } from '../world/storage/transactions.ts'
import { type AdmittedRequest, pathOf } from './admission.ts'
import { refusalOf, writeProblem } from './answer.ts'
import { bytesOf } from './body.ts'
import { tokenCheck } from './guard.ts'
import { controlNamespaceOf, namespaceOf as namespaceOfAuthorization } from './keys.ts'
import { requestedNamespace, takeOriginForm, takePrefix } from './namespace.ts'
import { Reach } from './reach.ts'
import type { Target } from './targets.ts'

/** Marks a request of another node, with the secret of the cluster. */
const FORWARDED = 'x-sandbox-forwarded'
/** Marks a refusal before anything was done: the world is elsewhere. */
const ELSEWHERE = 'x-sandbox-elsewhere'
/** The largest body of most calls, and a little more, so that the owner can refuse it. */
const MOST_BYTES = 17 * 1024 * 1024
/** Maximum number of nodes to try before a request is refused. */
const MOST_TRIES = 60

/** Time for the answers of other nodes when this one ends, ms; less than the server has for its own. */
const ENDING_MS = 500
const ENDED =
  'This node stops. The request may have taken effect: repeat it with the same idempotency key, which another node answers.'

/** A request whose body was read. */
interface Forwarded {
  readonly url: string
  readonly req: IncomingMessage
  readonly body: Buffer
  readonly res: ServerResponse
  /** Aborts when the caller leaves. */
  readonly left: AbortSignal
}

interface Call {
  readonly req: AdmittedRequest
  readonly res: ServerResponse
  readonly url: string
  readonly isForwarded: boolean
}

export interface RoutingOptions {
  cluster: Cluster
  /** Finds the namespace of a request with a secret key. Undefined if every node refuses it in the same way. */
  namespaceOf?: ((req: AdmittedRequest) => string | undefined | Promise<string | undefined>) | undefined
  /** All operations. */
  targets: readonly Target[]
  /** Aborts when this node ends. */
  stopping: AbortSignal
  onFault: (error: unknown, doing: string) => void
}

/** Answers requests about worlds of this node, and forwards others once to the node that owns the world. */
export function routing(
  answer: RequestListener,
  { cluster, namespaceOf = namespaceOfRequest, targets, stopping, onFault }: RoutingOptions,
): RequestListener {
  /** Each node answers these for itself. */
  const ofProcess = new Set(targets.filter(({ isOfProcess }) => isOfProcess).map(({ path }) => path))
  const uploads = targets
    .filter(({ maxBodyBytes = 0 }) => maxBodyBytes > MOST_BYTES)
    .map((target) => ({ call: patternOf(requestLineOf(target)), mostBytes: target.maxBodyBytes! }))
  // No limit: each request has its own connection to this node, and streams would use up any number.
  const agent = new Agent({ keepAlive: true })
  const reach = new Reach(cluster.answerWithinMs)
  const ending = new AbortController()
  stopping.addEventListener('abort', () => after(ENDING_MS, () => ending.abort()))
  const isOfNode = tokenCheck(cluster.secret)

  return (req: AdmittedRequest, res) => {
    takeOriginForm(req)
    const url = req.url!
    if (url.startsWith('/ns/')) takePrefix(req)
    const isForwarded = isOfNode(req.headers[FORWARDED])
    // Request logs, which tenants read, must not have the secret.
    delete req.headers[FORWARDED]
    // Balancers and clients should connect to another node next.
    if (!cluster.isReady) res.shouldKeepAlive = false
    if (ofProcess.has(pathOf(req))) return answer(req, res)
    const call: Call = { req, res, url, isForwarded }
    const namespace = namespaceOf(req)
    if (typeof namespace !== 'object') return answerFor(namespace, call)
    namespace.then(
      (found) => answerFor(found, call),
      (error: unknown) => refuse(error, isForwarded, res),
    )
  }

  function answerFor(namespace: string | undefined, { req, res, url, isForwarded }: Call) {
    if (res.destroyed) return
    if (namespace === undefined) return answer(req, res)
    const entering = cluster.enter(namespace, { isForwarded })
    if (!entering) return here(namespace, req, res)
    const route = async () => {
      const owner = await entering
      if (res.destroyed) return
      if (owner) return forward(namespace, owner, url, req, res)
      // Either the world cannot have moved in between, or the cluster is asked again.
      const again = cluster.enter(namespace, { isForwarded })
      if (!again) return here(namespace, req, res)
      const other = await again
      return forward(namespace, other ?? cluster.self, url, req, res)
    }
    route().catch((error: unknown) => refuse(error, isForwarded, res))
  }

  function here(namespace: string, req: IncomingMessage, res: ServerResponse) {
    // A move may concern the world of the call that asks for it.
    if (!pathOf(req).startsWith('/_sandbox/cluster')) cluster.began(namespace, res)
    answer(req, res)
  }

  function refuse(thrown: unknown, isForwarded: boolean, res: ServerResponse) {
    if (res.headersSent || res.destroyed) return void res.destroy()
    const error = asProblem(thrown)
    if (!(error instanceof Problem)) onFault(error, 'forwarding a request')
    const head = { 'X-Request-Id': 'req_elsewhere', ...(isForwarded && { [ELSEWHERE]: '1' }) }
    writeProblem(res, head, refusalOf(error, head['X-Request-Id']))
  }

  async function forward(
    namespace: string,
    first: NodeAddress,
    url: string,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    const upload = uploads.find(({ call }) => call.test(`${req.method} ${pathOf(req)}`))
    const body = await bytesOf(req, upload?.mostBytes ?? MOST_BYTES)
    const left = new AbortController()
    res.once('close', () => left.abort())
    let owner: NodeAddress | undefined = first
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const answered = await ask(owner ?? cluster.self, { url, req, body, res, left: left.signal })
      if (answered === 'done') return
      if (owner) cluster.neighbours.forgetOwner(namespace, owner)
      // At first at once: a node that refuses has often just given the world away, perhaps to this one.
      owner = await cluster.enter(namespace, { isAgain: tries > 0 })
      if (res.destroyed) return
    }
    throw unavailable(`The node ${(owner ?? cluster.self).name} does not answer for this namespace.`)
  }

  function ask(
    owner: NodeAddress,
    { url, req: { method, headers }, body, res, left }: Forwarded,
  ): Promise<'done' | 'elsewhere'> {
    return new Promise((resolve, reject) => {
      const { 'transfer-encoding': _, connection: __, expect: ___, ...rest } = headers
      const watch = reach.watch(owner)
      const forwarded = request(new URL(owner.url), {
        method: method!,
        path: url,
        agent,
        signal: AbortSignal.any([left, cluster.neighbours.whileAlive(owner), watch.lost, ending.signal]),
        headers: {
          ...rest,
          ...((body.length > 0 || rest['content-length'] !== undefined) && { 'content-length': body.length }),
          [FORWARDED]: cluster.secret,
        },
      })
      let isConnected = false
      forwarded.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isConnected = true))
        else isConnected = true
      })
      forwarded.once('close', watch.end)
      forwarded.once('error', (error) => {
        if (res.destroyed) return resolve('done')
        if (watch.lost.aborted) cluster.neighbours.cannotReach(owner)
        if (ending.signal.aborted) return reject(unavailable(ENDED))
        // Nothing was sent, or nothing that has an effect: another node may answer.
        if (!isConnected || (!res.headersSent && (method === 'GET' || method === 'HEAD'))) return resolve('elsewhere')
        reject(
          unavailable(
            `The node ${owner.name} ${error.name === 'AbortError' ? 'cannot be reached' : `broke off (${error.message})`}. The request may have taken effect: repeat it with the same idempotency key.`,
          ),
        )
      })
      forwarded.once('response', (answer) => {
        if (answer.headers[ELSEWHERE] !== undefined) {
          answer.resume()
          return resolve('elsewhere')
        }
        const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...head } = answer.headers
        res.writeHead(answer.statusCode!, head)
        res.flushHeaders()
        answer.pipe(res)
        answer.once('error', () => res.destroy())
        answer.once('aborted', () => res.destroy())
        resolve('done')
      })
      forwarded.end(body)
    })
  }
}

/** The namespace that a request is about; undefined if the request is refused anyway. */
function namespaceOfRequest(req: AdmittedRequest): string | undefined {
  const path = pathOf(req)
  const { authorization } = req.headers
  try {
    if (path.startsWith('/v1/')) return requestedNamespace(req) ?? namespaceOfAuthorization(authorization)
    return namespaceOfLink(path) ?? requestedNamespace(req) ?? controlNamespaceOf(authorization)
  } catch {
    return undefined
  }
}
