import { Agent, request } from 'node:http'
import type { LookupFunction } from 'node:net'

/** How long an idle connection is kept, in ms of the machine. */
const IDLE_MS = 5_000

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Node tries one after the other; a caller who wants one only gets the first. */
const onThisMachine: LookupFunction = (_name, { all }, found) =>
  all ? found(null, LOOPBACKS) : found(null, LOOPBACKS[0]!.address, LOOPBACKS[0]!.family)

/** TLS is loaded by those who use it: that takes as long as the whole rest of a command. */
export const requestFor = ({ protocol }: URL): typeof request =>
  protocol === 'https:' ? process.getBuiltinModule('node:https').request : request

/**
 * Options of a request that spare `localhost` the question to the system: it is this machine whatever that says (RFC 6761),
 * a bare container says nothing, and asking costs 10 ms.
 */
export const lookupFor = ({ hostname }: URL): { lookup?: LookupFunction } =>
  hostname === 'localhost' ? { lookup: onThisMachine } : {}

/** A loopback address, or a name that leads to one by its form. */
export const isThisMachine = ({ hostname }: URL) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

const direct = new Map<string, Agent>()

/**
 * Connections to this machine are made by an agent of our own: with NODE_USE_ENV_PROXY the usual one takes a proxy, which
 * would look for `localhost` on another machine. Undefined where the usual one is right.
 */
export function agentFor(url: URL): Agent | undefined {
  if (!isThisMachine(url)) return undefined
  const { protocol } = url
  const known = direct.get(protocol)
  if (known) return known
  const Direct = protocol === 'https:' ? process.getBuiltinModule('node:https').Agent : Agent
  // As Node's own: connections are kept, and given up when they have been idle.
  const agent = new Direct({ keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS })
  direct.set(protocol, agent)
  return agent
}
