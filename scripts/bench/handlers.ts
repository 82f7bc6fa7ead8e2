import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Explored, ExploreOptions } from '../../src/handlers/explore/options.ts'
import { checks, verifyHandler } from '../../src/handlers/verify/suite.ts'

/** The bugs planted in fixtures/handlers, by server. */
export const PLANTED = {
  node: [
    'repeats-unnoticed',
    'order-assumed',
    'answered-before-written',
    'pieces-as-text',
    'opt-out-ignored',
    'retry-storm',
    'stop-unrecorded',
  ],
  express: [
    'parsed-before-verified',
    'unknown-refused',
    'unsigned',
    'session-shortened',
    'terminal-overwritten',
    'resent-without-key',
  ],
  fastify: [
    'strict-schema',
    'deduped-by-message',
    'marked-before-work',
    'secret-cached',
    'one-stop',
    'looked-up-too-early',
  ],
  python: [
    'truncated-accepted',
    'pending-taken-for-granted',
    'soft-taken-for-hard',
    'ascii-only',
    'counted-by-attempt',
    'unsubscription-ignored',
  ],
} as const

export type Framework = keyof typeof PLANTED
export const frameworks = Object.keys(PLANTED) as Framework[]

/** The name of the mended version. */
export const MENDED = 'mended'
/** Returns the mended version of a bug; a bug of a busy database has one with a busy database. */
export const mendedOf = (bug: string) => (bug === 'marked-before-work' ? 'marked-after-work' : MENDED)
const SECRET = 'whsec_of_the_shop'
const SETTLE_MS = 30
const TIMEOUT_MS = 5_000

const COMMANDS = {
  node: [process.execPath, 'node.mjs'],
  express: [process.execPath, 'express.mjs'],
  fastify: [process.execPath, 'fastify.mjs'],
  python: ['python3', 'python.py'],
} as const satisfies Record<Framework, readonly [string, string]>

/** The frameworks whose applications can be restarted or told a new secret. */
const CAN: Readonly<Record<Framework, readonly ('restart' | 'rotate')[]>> = {
  node: ['restart'],
  express: [],
  fastify: ['rotate'],
  python: [],
}

export interface Shops {
  /** The explorer's options for the application with this bug, or for the mended one. */
  application(bug: string): ExploreOptions
  stop(): void
}

/** Starts all applications of a framework. Each exploration puts its sandbox at the same port. */
export async function startShops(framework: Framework): Promise<Shops> {
  const port = await freePort()
  const [program, file] = COMMANDS[framework]
  const path = fileURLToPath(new URL(`../../fixtures/handlers/${file}`, import.meta.url))
  const env = {
    ...process.env,
    SANDBOX_WEBHOOK_SECRET: SECRET,
    SANDBOX_BASE_URL: `http://127.0.0.1:${port}`,
    SANDBOX_API_KEY: 'sk_sandbox_default',
  }
  const args = [path, [...PLANTED[framework], MENDED, 'marked-after-work'].join(',')]
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  if (!value) throw new Error(`${file} did not start`)
  return {
    application(bug) {
      const url = `http://127.0.0.1:${value}/${bug}`
      const levers = Object.fromEntries(CAN[framework].map((lever) => [lever, `${url}/${lever}`]))
      const handler = { handler: `${url}/hook`, truth: `${url}/truth`, secret: SECRET }
      return { ...handler, ...levers, port, settleMs: SETTLE_MS, timeoutMs: TIMEOUT_MS }
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

export interface Sought {
  by: 'schedule' | 'check' | 'nothing'
  /** The code of the finding, or the name of the check. */
  code: string
  /** The number of deliveries in the smallest schedule. */
  deliveries: number
  explored?: Explored | undefined
}

/** Looks for a bug with schedules, then with checks. */
export async function seek(
  application: ExploreOptions,
  options: Pick<ExploreOptions, 'schedules' | 'seed'>,
): Promise<Sought> {
  const explored = await explore({ ...application, ...options })
  const { failure } = explored
  if (failure)
    return { by: 'schedule', code: failure.findings[0]!.code, deliveries: failure.deliveries.length, explored }
  const [check] = await failedChecks(application)
  return { by: check ? 'check' : 'nothing', code: check ?? '', deliveries: 1, explored }
}

/** Returns the names of failing checks, among all or among the given names. */
export async function failedChecks({ handler }: ExploreOptions, names?: readonly string[]): Promise<string[]> {
  const receiver = { url: new URL(String(handler)), secret: SECRET, timeoutMs: TIMEOUT_MS }
  const chosen = checks.filter(({ name }) => names?.includes(name) ?? true)
  const results = await verifyHandler({ receiver, checks: chosen })
  return results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)
}
