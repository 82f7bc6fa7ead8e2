import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { NodePlace } from './nodes.ts'

/** The name of the network, in the process that runs inside it. */
const NAME = 'SANDBOX_CLUSTER_NETWORK'
/** Callers and nodes, and nodes and PostgreSQL. */
const LINKS = ['front', 'back'] as const
type Link = (typeof LINKS)[number]

export const PRIVATE_NETWORK = '10.77.0.0/16'
const addressOf = (link: Link, host: number) => `10.77.${LINKS.indexOf(link)}.${host}`
const HUB = 1
const hostOf = (index: number) => 10 + index

/**
 * A network namespace for each node, and one for PostgreSQL and all callers, where this script runs again. Nothing
 * else on the machine has a route to them. Needs root.
 */
export class Network {
  /** Of PostgreSQL, as the nodes reach it. */
  readonly hub = addressOf('back', HUB)
  readonly #name: string

  private constructor(name: string) {
    this.#name = name
  }

  /** The network of this process; undefined outside of one. */
  static get inside(): Network | undefined {
    const name = process.env[NAME]
    return name === undefined ? undefined : new Network(name)
  }

  /** Runs this script again inside a new network, and returns its exit code. */
  static async run(nodes: number): Promise<number> {
    const name = `sandbox-${process.pid}`
    const namespaces = [hubOf(name), ...Array.from({ length: nodes }, (_, index) => nodeOf(name, index))]
    try {
      for (const one of namespaces) ip('netns', 'add', one)
      const hub = inNamespace(hubOf(name))
      hub('link', 'set', 'lo', 'up')
      for (const link of LINKS) {
        hub('link', 'add', link, 'type', 'bridge')
        hub('addr', 'add', `${addressOf(link, HUB)}/24`, 'dev', link)
        hub('link', 'set', link, 'up')
        for (let index = 0; index < nodes; index++) {
          const [outer, inner] = [cableOf(link, index), link]
          hub('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', nodeOf(name, index))
          hub('link', 'set', outer, 'master', link, 'up')
          const node = inNamespace(nodeOf(name, index))
          node('link', 'set', 'lo', 'up')
          node('addr', 'add', `${addressOf(link, hostOf(index))}/24`, 'dev', inner)
          node('link', 'set', inner, 'up')
        }
      }
      const [command, ...args] = ['netns', 'exec', hubOf(name), process.execPath, ...process.argv.slice(1)]
      const child = spawn('ip', [command!, ...args], { stdio: 'inherit', env: { ...process.env, [NAME]: name } })
      process.once('SIGTERM', () => child.kill('SIGTERM'))
      const [code] = (await once(child, 'exit')) as [number | null]
      return code ?? 1
    } finally {
      for (const one of namespaces) attempt('netns', 'del', one)
    }
  }

  placeOf(index: number, port: number): NodePlace {
    return {
      ...{ host: addressOf('front', hostOf(index)), port },
      prefix: ['ip', 'netns', 'exec', nodeOf(this.#name, index)],
    }
  }

  /** Pulls cables of a node: packets are lost, and no connection is closed. */
  cut(index: number, links: readonly Link[]) {
    for (const link of links) ip('link', 'set', cableOf(link, index), 'down')
  }

  heal(index: number) {
    for (const link of LINKS) ip('link', 'set', cableOf(link, index), 'up')
  }
}

const hubOf = (name: string) => `${name}-hub`
const nodeOf = (name: string, index: number) => `${name}-n${index}`
const cableOf = (link: Link, index: number) => `${link}-${index}`

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })

const inNamespace =
  (namespace: string) =>
  (...args: string[]) =>
    ip('-n', namespace, ...args)

function attempt(...args: string[]) {
  try {
    ip(...args)
  } catch {
    // It was not added.
  }
}
