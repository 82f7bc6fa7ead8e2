import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import type { ConnectOptions, Sandbox, SandboxOptions } from '../library/sandbox.ts'
import { emulatorOf, inProcess, sandboxOf } from '../library/sandbox-of.ts'
import { DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { getOrAdd } from '../words/get-or-add.ts'

type Library = Pick<typeof import('../library/start.ts'), 'createSandbox' | 'connectSandbox'>

const SHARED = Symbol.for('messaging-sandbox.shared')

interface Realm {
  readonly JSON: typeof JSON
  readonly Map: typeof Map
  readonly process: typeof process
  /** Sandboxes of this process by their options. They keep no process alive, and end with theirs. */
  [SHARED]?: Map<string, Promise<Sandbox>>
}

/** Node's own realm. Jest, and Vitest in its vm pools, have one for each test file, in which every module is evaluated again. */
const nodesRealm: Realm = runInThisContext('globalThis')

/** An emulator for worlds of tests. */
export interface TestHost {
  sandbox: Sandbox
  /** Names of worlds that must not be used again. */
  names: Set<string>
}

/** Starts an emulator for a worker; where each file has a realm, the one that an earlier file of the worker has left. */
export async function startHost(options: SandboxOptions): Promise<TestHost> {
  if (nodesRealm === globalThis) return alone(await (await import('../library/start.ts')).createSandbox(options))
  const library = nodesLibrary()
  if (!library) return alone(await libraryBy(createRequire(import.meta.url)).createSandbox(options))
  if (!isShareable(options)) return alone(inThisRealm(await library.createSandbox(options), options))
  const shared = await sharedSandbox(library, options)
  const names = getOrAdd(entered, shared, () => emptied(shared))
  return { sandbox: inThisRealm(shared, options, { keepsRunning: true }), names: await names }
}

/** Connects a test to an emulator that runs. */
export async function connectHost(options: ConnectOptions): Promise<Sandbox> {
  if (nodesRealm === globalThis) return (await import('../library/start.ts')).connectSandbox(options)
  return libraryBy(createRequire(import.meta.url)).connectSandbox(options)
}

const alone = (sandbox: Sandbox): TestHost => ({ sandbox, names: new Set() })

/** The sandboxes that this file's tests share with those of other files, each with the names that this file has given. */
const entered = new Map<Sandbox, Promise<Set<string>>>()

/** The library as Node requires it, evaluated once for all files. Undefined if the realm gives no access to Node's modules. */
function nodesLibrary(): Library | undefined {
  try {
    return libraryBy(nodesRealm.process.getBuiltinModule('node:module').createRequire(import.meta.url))
  } catch {
    return undefined
  }
}

const libraryBy = (load: NodeJS.Require): Library => load('./index.cjs')

/** A seed promises ids that depend on no other file. Ports and folders are free after a file, and world files may change. */
const isShareable = ({ seed, now, port, data, world, onFault }: SandboxOptions) =>
  [seed, now, port, data, world, onFault].every((value) => value === undefined)

async function sharedSandbox({ createSandbox }: Library, options: SandboxOptions): Promise<Sandbox> {
  nodesRealm[SHARED] ??= new nodesRealm.Map()
  const key = JSON.stringify([import.meta.url, Object.entries(options).sort()])
  // Made in Node's realm, because what is referred to from there keeps a whole realm in memory.
  const started = nodesRealm[SHARED].get(key) ?? createSandbox(nodesRealm.JSON.parse(JSON.stringify(options)))
  nodesRealm[SHARED].set(key, started)
  try {
    return await started
  } catch (error) {
    nodesRealm[SHARED].delete(key)
    throw error
  }
}

/** Removes data of earlier files and of tests that were aborted. */
async function emptied({ client, as }: Sandbox): Promise<Set<string>> {
  const [{ namespaces }, { snapshots }] = await Promise.all([client.namespaces.list(), client.snapshots.list()])
  await Promise.all([
    as(DEFAULT_NAMESPACE).world.reset(),
    ...namespaces.filter(({ name }) => name !== DEFAULT_NAMESPACE).map(({ name }) => client.namespaces.delete(name)),
    ...snapshots.map(({ name }) => client.snapshots.delete(name)),
  ])
  return new Set()
}

/** Makes the client in the test's realm, so that answers equal the test's literals and are instances of its classes. */
function inThisRealm(sandbox: Sandbox, { apiKey }: SandboxOptions, { keepsRunning = false } = {}): Sandbox {
  const { url, answer, stop } = emulatorOf(sandbox)
  let hasEnded = false
  const emulator = {
    url,
    // An aborted test may still run while another file runs.
    answer: (...[req, res]: Parameters<typeof answer>) =>
      void (hasEnded ? res.destroy(new Error('the test file has ended')) : answer(req, res)),
    stop: async () => {
      hasEnded = true
      if (!keepsRunning) await stop()
    },
  }
  return sandboxOf(emulator, inProcess(emulator), apiKey ?? sandbox.apiKey)
}
