import { Agent, type AgentOptions, request } from 'node:http'
import type { LookupFunction } from 'node:net'

/** How long an idle connection is kept, in ms of the machine. */
const IDLE_MS = 5_000

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Node tries one after the other; a caller who wants one only gets the first. */
const lookupLoopback: LookupFunction = (_name, { all }, found) =>
  all ? found(null, LOOPBACKS) : found(null, LOOPBACKS[0]!.address, LOOPBACKS[0]!.family)

/** TLS is loaded by those who use it: that takes as long as the whole rest of a command. */
export const requestFor = ({ protocol }: URL): typeof request =>
  protocol === 'https:' ? process.getBuiltinModule('node:https').request : request

/**
 * Options of a request that spare `localhost` the question to the system: it is this machine whatever that says (RFC 6761),
 * a bare container says nothing, and asking costs 10 ms.
 */
export const lookupFor = ({ hostname }: URL): { lookup?: LookupFunction } =>
  hostname === 'localhost' ? { lookup: lookupLoopback } : {}

/** A loopback address, or a name that leads to this machine by its form. */
export const isThisMachine = ({ hostname }: Pick<URL, 'hostname'>) =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname)

/** How connections are made, where that is not as Node makes them by itself. */
export interface Network {
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in large or small letters, as the environment has them. */
  readonly proxies?: Readonly<Record<string, string | undefined>> | undefined
  /** Certificates of authorities that are trusted besides the usual ones, in PEM. */
  readonly authorities?: string | undefined
  /** Believes any certificate. */
  readonly insecure?: boolean | undefined
}

const NONE: Network = {}
const kept = new WeakMap<Network, Map<string, Agent>>()

/**
 * Connections to this machine are made by an agent of our own: a proxy, which the usual one takes with NODE_USE_ENV_PROXY,
 * would look for `localhost` on another machine. Undefined where the usual one is right; false for a connection that is
 * made as Node makes it, and closed after the answer.
 */
export function agentFor(
  url: URL,
  { isAlone = false, network }: { isAlone?: boolean; network?: Network | undefined } = {},
): Agent | false | undefined {
  const isHere = isThisMachine(url)
  if (!isHere && network === undefined) return isAlone ? false : undefined
  if (isAlone) return agentOf(url, isHere, network, { keepAlive: false })
  const agents = kept.get(network ?? NONE) ?? new Map<string, Agent>()
  kept.set(network ?? NONE, agents)
  const name = `${url.protocol}${isHere}`
  // As Node's own: connections are kept, and given up when they have been idle.
  const agent =
    agents.get(name) ?? agentOf(url, isHere, network, { keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS })
  agents.set(name, agent)
  return agent
}

function agentOf({ protocol }: URL, isHere: boolean, network: Network = NONE, options: AgentOptions): Agent {
  const { proxies, authorities, insecure } = network
  const through = isHere || !proxies ? options : { ...options, proxyEnv: proxies as NodeJS.ProcessEnv }
  if (protocol !== 'https:') return new Agent(through)
  const { Agent: SecureAgent } = process.getBuiltinModule('node:https')
  return new SecureAgent({
    ...through,
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(authorities === undefined
      ? {}
      : { ca: [...process.getBuiltinModule('node:tls').getCACertificates('default'), authorities] }),
  })
}
