import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { CHALLENGE_HEADER, isChallenge, PROOF_HEADER, proofOf } from '../http/folder-proof.ts'
import type { TargetList } from '../http/target-list.ts'
import type { Activity } from '../words/activity.ts'
import { DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { Lazy } from '../words/lazy.ts'
import type { Band } from '../words/operation.ts'
import type { Pace } from '../words/pace.ts'
import { Problem } from '../words/problem.ts'
import type { Cluster } from '../world/cluster/cluster.ts'
import type { WorldFile } from '../world/file/world-file.ts'
import { machineSecret } from '../world/machine-secret.ts'
import { after, keepingProcessAlive } from '../world/machine-time.ts'
import { FolderIsShared, type FolderLock, lockFolder, REGISTRY_FILE } from '../world/storage/lock.ts'
import { sweepTemporaryFolders } from '../world/storage/temporary.ts'
import { asProblem } from '../world/storage/transactions.ts'
import type { Tenants } from '../world/tenants/tenants.ts'
import { sourceOf } from '../world/worlds/template.ts'
import { Worlds } from '../world/worlds/worlds.ts'
import type { AdmissionOptions } from './admission.ts'
import { refusalOf, writeProblem } from './answer.ts'
import { controlTokenOf } from './control-token.ts'
import { createGuard, isLoopback, tokenCheck } from './guard.ts'
import { RateLimits } from './limits.ts'
import { listen } from './listen.ts'
import { answeringProbes } from './probes/probes.ts'
import type { RoutingOptions } from './routing.ts'
import type { Service } from './service.ts'

export interface EmulatorOptions {
  /** The start-up world file. */
  world: WorldFile
  /** A snapshot file that the first world starts from. */
  snapshot?: Buffer | undefined
  /** The data folder; in memory without one. */
  folder?: string | undefined
  /** 0 takes a free one. */
  port: number
  /** An address besides loopback, through which other machines can connect. */
  host?: string | undefined
  /** The control token. Generated if other machines can connect and none is set. */
  controlToken?: string | undefined
  /** Keys are secret and namespaces are created by the administrator. */
  shared?: boolean | undefined
  /** The address in links, behind a proxy. */
  publicUrl?: string | undefined
  /** Whether requests may be answered now, for balancers; always by default. */
  isReady?: (() => boolean) | undefined
  /** Permits webhooks to loopback and private addresses where other machines can connect; a list permits its targets only. */
  allowWebhookTargets?: true | TargetList | undefined
  clock?: Pace | undefined
  /** The start of the clock, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
  rateLimits?: boolean | undefined
  /** Requests per key and window that differ from the defaults. */
  limits?: Partial<Record<Band, number>> | undefined
  /** The most namespaces; 1,000 by default. */
  maxNamespaces?: number | undefined
  /** The most open namespaces; 256 by default. */
  maxOpenNamespaces?: number | undefined
  /** Checks answers against their contracts; for tests. */
  checkAnswers?: boolean | undefined
  /** The emulator does not keep the process alive. */
  staysInBackground?: boolean | undefined
  /** The process is a node of a cluster, which keeps the worlds in PostgreSQL. Needs a folder, for a cache. */
  cluster?: ClusterNode | undefined
  onActivity?: ((activity: Activity) => void) | undefined
  onFault: (error: unknown, doing: string) => void
}

export interface ClusterNode {
  /** postgres://… */
  postgres: string
  /** The name of the node; none that runs has the same. */
  name: string
  /** The URL by which other nodes reach this one; by default its own. */
  url?: string | undefined
  /** For how long a node that stops forwards requests, so that balancers notice, ms. */
  lingerMs?: number | undefined
  /** How long the node may answer after each heartbeat, ms. */
  leaseMs?: number | undefined
}

export interface Emulator {
  url: string
  /** The control token; undefined if none is needed. */
  controlToken: string | undefined
  port: number
  worlds: Worlds
  /** Undefined without `cluster`. */
  cluster: Cluster | undefined
  /** The pace of the first world; of new worlds in a cluster, where that may be elsewhere. */
  pace: Pace
  /** The file of the world of the first key, which an earlier start may have made. */
  madeFrom: Pick<WorldFile, 'origin' | 'digest'>
  /** The time of the first world, if it is later than the requested start. */
  keptTime: string | undefined
  /** Handles a request without a connection, see `in-process.ts`. */
  answer: RequestListener
  stop(): Promise<void>
  /** Resolves when the emulator has stopped for any reason. */
  stopped: Promise<void>
}

/** Starts an emulator in this process. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const lock = options.folder === undefined ? undefined : lockFolder(options.folder)
  const ends: End[] = [() => lock?.release()]
  // A full disk is not a bug, whatever work met it.
  const onFault: EmulatorOptions['onFault'] = (error, doing) => options.onFault(asProblem(error), doing)
  try {
    return await start({ ...options, onFault }, lock, ends)
  } catch (error) {
    // The cause of the failure may break its end as well.
    await endAll(ends).catch(() => {})
    throw error
  }
}

/** Ends a part of an emulator that has started. */
type End = () => void | Promise<void>

/** Ends all parts, the latest first, and then throws the first fault. */
async function endAll(ends: readonly End[]): Promise<void> {
  const faults: unknown[] = []
  for (const end of ends.toReversed())
    try {
      await end()
    } catch (error) {
      faults.push(error)
    }
  if (faults.length > 0) throw faults[0]
}

async function start(options: EmulatorOptions, lock: FolderLock | undefined, ends: End[]): Promise<Emulator> {
  const { folder, onFault } = options
  const openTo = options.host && !isLoopback(options.host) ? options.host : undefined
  const { shared: isShared = false } = options
  if (folder !== undefined && !isShared && existsSync(join(folder, REGISTRY_FILE))) throw new FolderIsShared(folder)
  const isOpen = isShared || openTo !== undefined
  const stopping = new AbortController()
  const cluster = options.cluster && (await connect(options.cluster, { folder: folder!, isShared, onFault }))
  ends.push(() => cluster?.close())
  const controlToken = options.controlToken ?? (isOpen ? (cluster?.controlToken ?? controlTokenOf(folder)) : undefined)
  const worlds = new Worlds({
    ...options,
    cluster,
    file: options.world,
    isShared,
    isOpenToOthers: isOpen && !options.allowWebhookTargets,
    allowedTargets: typeof options.allowWebhookTargets === 'object' ? options.allowWebhookTargets : undefined,
    nouns: async () => (await import('../registry/nouns.ts')).nouns,
  })
  ends.push(() => worlds.close())
  const openTenants = async () => (await import('./tenants/open.ts')).openTenants({ folder, worlds, cluster, onFault })
  const tenants = isShared ? await openTenants() : undefined
  ends.push(() => tenants?.stop())
  const service = new Lazy(async () => {
    const { createService } = await import('./service.ts')
    return createService({
      worlds,
      guard: createGuard({ acceptsAnyHost: isOpen, controlToken: isShared ? undefined : controlToken }),
      tenancyOf: tenants && (await tenancyOf(tenants, controlToken!, stopping.signal, onFault)),
      limits: new RateLimits({ enabled: options.rateLimits ?? true, limits: options.limits }),
      checkAnswers: options.checkAnswers ?? false,
      signal: stopping.signal,
      // A Host header is checked only where no other machine can connect.
      publicUrl: isOpen ? () => options.publicUrl ?? url : undefined,
      stop: () => after(0, () => void stop().catch((error) => onFault(error, 'stopping'))),
      onFault,
    })
  })
  await worlds.prepare()
  if (options.snapshot) await worlds.startFrom(options.snapshot)
  const secret = machineSecret('fs_')
  const local = answering(service, worlds, onFault)
  const routes = cluster
    ? await routed(cluster, local, {
        namespaceOf: tenants && (await whose(tenants, worlds, controlToken!)),
        stopping: stopping.signal,
        onFault,
      })
    : local
  const isReady = async () => {
    if (stopping.signal.aborted || options.isReady?.() === false || cluster?.isReady === false) return false
    // If the registry cannot be read, all requests are refused.
    await tenants?.registry.nextExpiry()
    return true
  }
  const answer = provingFolder(secret, answeringProbes(routes, isReady))
  const server = await listen(answer, {
    port: options.port,
    host: options.host,
    staysInBackground: options.staysInBackground ?? false,
    nextRequestId: () => worlds.nextRequestId(),
  })
  ends.push(() => server.close())
  const url = `http://${nameOf(options.host)}:${server.port}`
  if (folder !== undefined) lock?.writeOwner({ pid: process.pid, url, secret })
  // Due work of an earlier run continues at once, not with the first request.
  if (cluster)
    await cluster.join(options.cluster!.url ?? urlForOthers(options.host, server.port), worlds.local, {
      file: options.world,
      seed: options.seed,
      controlToken,
    })
  else {
    worlds.resume()
    worlds.get(DEFAULT_NAMESPACE)
  }
  await tenants?.start()
  after(0, async () => {
    await loadAll(service, onFault, stopping.signal)
    if (folder === undefined) sweep(onFault)
  })
  const stopped = Promise.withResolvers<void>()
  let ending: Promise<void> | undefined
  const stop = () => {
    ending ??= keepingProcessAlive(async () => {
      if (cluster) await handOver(cluster, options.cluster!)
      stopping.abort()
      await endAll(ends)
    })
    stopped.resolve(ending.catch(() => {}))
    return ending
  }
  return {
    url,
    controlToken,
    port: server.port,
    worlds,
    cluster,
    answer: (req, res) => void (ending ? res.destroy(refused()) : answer(req, res)),
    pace: cluster ? (options.clock ?? { mode: 'real' }) : worlds.get(DEFAULT_NAMESPACE).clock.pace,
    madeFrom: cluster ? {} : sourceOf(worlds.get(DEFAULT_NAMESPACE)),
    keptTime: worlds.keptTimeOf(DEFAULT_NAMESPACE),
    stop,
    stopped: stopped.promise,
  }
}

/** Loaded only where it is needed, because most sandboxes are not shared. */
async function tenancyOf(
  tenants: Tenants,
  controlToken: string,
  signal: AbortSignal,
  onFault: EmulatorOptions['onFault'],
) {
  const { createTenancy } = await import('./tenants/tenancy.ts')
  const isAdminToken = tokenCheck(controlToken)
  return (admission: AdmissionOptions) => createTenancy({ ...admission, tenants, isAdminToken, signal, onFault })
}

/** Finds the namespace of a call by its credentials. */
async function whose(tenants: Tenants, worlds: Worlds, controlToken: string): Promise<RoutingOptions['namespaceOf']> {
  const { namespaceOfCall } = await import('./tenants/admission.ts')
  const isAdminToken = tokenCheck(controlToken)
  return (req) => namespaceOfCall({ tenants, worlds, isAdminToken }, req)
}

let hasChanged = false

/**
 * Whether this process has answered a call that changes something: what it compiled is then worth keeping
 * (scripts/build/load.ts). A health check needs little of it.
 */
export const hasAnsweredChange = (): boolean => hasChanged

/** Loads the service with the first request or soon after the start, so that the start does not wait for it. */
const answering =
  (service: Lazy<Service>, worlds: Worlds, onFault: EmulatorOptions['onFault']): RequestListener =>
  (req, res) => {
    if (req.method === 'POST' && req.url!.startsWith('/v1/')) hasChanged = true
    if (service.value) return service.value.answer(req, res)
    service.load().then(
      ({ answer }) => answer(req, res),
      (error) => {
        const id = worlds.nextRequestId()
        const failure = asProblem(error)
        if (!(failure instanceof Problem)) onFault(error, `reading in what answers requests (${id})`)
        writeProblem(res, { 'X-Request-Id': id }, refusalOf(failure, id))
      },
    )
  }

/** Proves to callers who know the secret of the data folder that this process uses it. */
const provingFolder =
  (secret: string, answer: RequestListener): RequestListener =>
  (req, res) => {
    const challenge = req.headers[CHALLENGE_HEADER]
    if (isChallenge(challenge)) res.setHeader(PROOF_HEADER, proofOf(secret, challenge))
    // Another node of a cluster, which may answer the rest, has another folder.
    delete req.headers[CHALLENGE_HEADER]
    answer(req, res)
  }

/** Loads everything in the background. A file that is missing is reported here, before a request needs it. */
async function loadAll(service: Lazy<Service>, onFault: EmulatorOptions['onFault'], stopping: AbortSignal) {
  try {
    if (!stopping.aborted) await (await service.load()).loadAll()
  } catch (error) {
    if (!stopping.aborted) onFault(error, 'reading in what no request has asked for yet')
  }
}

function sweep(onFault: EmulatorOptions['onFault']) {
  try {
    sweepTemporaryFolders()
  } catch (error) {
    onFault(error, 'removing what others left')
  }
}

/** Connects to the cluster. Its code is loaded here only. */
async function connect(
  { postgres, name, leaseMs }: ClusterNode,
  options: { folder: string; isShared: boolean; onFault: EmulatorOptions['onFault'] },
) {
  const { Cluster } = await import('../world/cluster/cluster.ts')
  return Cluster.connect({ url: postgres, node: name, leaseMs, ...options })
}

async function routed(cluster: Cluster, answer: RequestListener, options: Omit<RoutingOptions, 'cluster' | 'targets'>) {
  const [{ routing }, { targets }] = await Promise.all([import('./routing.ts'), import('./targets.ts')])
  return routing(answer, { cluster, targets, ...options })
}

/** Hands the worlds of a stopping node over to others, and forwards requests until load balancers have noticed. */
async function handOver(cluster: Cluster, { lingerMs = 0 }: ClusterNode) {
  await cluster.drain()
  await new Promise<void>((resolve) => after(lingerMs, resolve))
}

const urlForOthers = (host: string | undefined, port: number): string =>
  `http://${host === '0.0.0.0' || host === '::' ? hostname() : host === undefined || isLoopback(host) ? '127.0.0.1' : nameOf(host)}:${port}`

/** Returns the host by which this machine reaches the server. A wildcard address cannot be called. */
function nameOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

const refused = () => Object.assign(new Error('the sandbox has stopped'), { code: 'ECONNREFUSED', wasConnected: false })
