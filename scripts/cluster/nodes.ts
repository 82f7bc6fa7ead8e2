import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface NodeOptions {
  readonly postgres: string
  readonly world: string
  /** One for each node: where it listens, and the command before its own that places it in a network. */
  readonly places: readonly NodePlace[]
}

export interface NodePlace {
  readonly host: string
  readonly port: number
  readonly prefix?: readonly string[]
}

export const CONTROL_TOKEN = 'ct_of-the-cluster-that-is-broken'

/** The nodes of a cluster, each a process of its own. */
export class Nodes {
  readonly #options: NodeOptions
  readonly #folder = mkdtempSync(join(tmpdir(), 'sandbox-nodes-'))
  readonly #processes: ChildProcess[] = []
  readonly faults: string[] = []

  constructor(options: NodeOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#options.places.length
  }

  urlOf(index: number): string {
    const { host, port } = this.#options.places[index]!
    return `http://${host}:${port}`
  }

  async startAll() {
    await Promise.all(this.#options.places.map((_, index) => this.start(index)))
  }

  /** Starts a node, and resolves when it is ready. */
  async start(index: number): Promise<void> {
    const { postgres, world, places } = this.#options
    const { host, port, prefix = [] } = places[index]!
    const [command, ...args] = [
      ...[...prefix, process.execPath],
      ...['bin/sandbox.js', 'start', '--quiet', '--no-rate-limit', '--world', world],
      ...['--host', host, '--port', String(port), '--node', `n${index}`, '--data', join(this.#folder, String(index))],
    ]
    const child = spawn(command!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: this.#folder,
        SANDBOX_CLUSTER: postgres,
        SANDBOX_CONTROL_TOKEN: CONTROL_TOKEN,
      },
    })
    this.#processes[index] = child
    createInterface(child.stderr!).on('line', (line) => this.faults.push(`n${index}: ${line}`))
    const ready = once(createInterface(child.stdout!), 'line')
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`node n${index} ended with ${code}: ${this.faults.at(-1)}`)
    })
    ended.catch(() => undefined)
    await Promise.race([ready, ended])
  }

  signal(index: number, signal: NodeJS.Signals) {
    this.#processes[index]!.kill(signal)
  }

  async end(index: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.#processes[index]!
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  async stopAll() {
    await Promise.all(this.#processes.map((_, index) => this.end(index, 'SIGKILL')))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
