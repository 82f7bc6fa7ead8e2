import { Agent, type AgentOptions, type ClientRequestArgs, request } from 'node:http'
import { connect, type NetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'
import { getOrAdd } from '../words/get-or-add.ts'
import { lazilyFor } from '../words/lazy.ts'

/** Lifetime of idle connections, machine ms. */
const IDLE_MS = 5_000

/** Loads TLS on use only: it takes as long as the rest of a command. */
export const requestFor = ({ protocol }: URL): typeof request =>
  protocol === 'https:' ? process.getBuiltinModule('node:https').request : request

/** True for a loopback address or a `localhost` name. */
export const isThisMachine = ({ hostname }: Pick<URL, 'hostname'>) =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname)

/** Connection options that differ from Node's defaults. */
export interface ConnectionSettings {
  /** The environment's `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in upper or lower case. */
  readonly proxies?: Readonly<Record<string, string | undefined>> | undefined
  /** Additional certificate authorities, PEM. */
  readonly authorities?: string | undefined
  /** Accepts any certificate. */
  readonly insecure?: boolean | undefined
}

const NONE: ConnectionSettings = {}
const agentsOf = lazilyFor((_: ConnectionSettings) => new Map<string, Agent>())

/**
 * Chooses an agent. Connections to this machine get our own, because a proxy (NODE_USE_ENV_PROXY) would look for
 * `localhost` on another machine. Undefined for Node's default; false for a single connection that is closed after the
 * answer.
 */
export function agentFor(
  url: URL,
  { isAlone = false, network }: { isAlone?: boolean; network?: ConnectionSettings | undefined } = {},
): Agent | false | undefined {
  // The agent for this machine looks up no address, so it would not notice a refused one.
  const isHere = network !== publicOnly && isThisMachine(url)
  if (!isHere && network === undefined) return isAlone ? false : undefined
  if (isAlone) return agentOf(url, isHere, network, { keepAlive: false })
  // Like Node's own agent: connections are kept and closed when idle.
  return getOrAdd(agentsOf(network ?? NONE), `${url.protocol}${isHere}`, () =>
    agentOf(url, isHere, network, { keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS }),
  )
}

const publicOnly: ConnectionSettings = {}

/**
 * The agent for servers on the public internet. Its connections are shared with no other agent, whose servers were not
 * checked, and it uses no proxy of the environment, which would resolve names itself.
 */
export const publicAgentFor = (url: URL) => agentFor(url, { network: publicOnly })

/**
 * Connects to `localhost` by IPv4, or by IPv6 if a request asks for this family. To connect to a name, Node compiles regular
 * expressions and loads its resolver, a sixth of the CPU of `sandbox send` (`npm run bench start`).
 */
class AgentHere extends Agent {
  constructor(options: AgentOptions) {
    super({ ...options, servername: '' } as AgentOptions)
  }

  // The socket must exist at once: libraries that intercept requests, such as MSW and nock, know no callback.
  override createConnection(options: ClientRequestArgs, done?: (error: Error | null, socket: Duplex) => void) {
    if (options.host !== 'localhost') return super.createConnection(options, done)
    return connect({ ...options, host: options.family === 6 ? '::1' : '127.0.0.1' } as NetConnectOpts)
  }
}

function agentOf({ protocol }: URL, isHere: boolean, network: ConnectionSettings = NONE, options: AgentOptions): Agent {
  const { proxies, authorities, insecure } = network
  const through = isHere || !proxies ? options : { ...options, proxyEnv: proxies as NodeJS.ProcessEnv }
  if (protocol !== 'https:') return isHere && options.keepAlive ? new AgentHere(through) : new Agent(through)
  const { Agent: SecureAgent } = process.getBuiltinModule('node:https')
  return new SecureAgent({
    ...through,
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(authorities === undefined
      ? {}
      : { ca: [...process.getBuiltinModule('node:tls').getCACertificates('default'), authorities] }),
  })
}
