import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Explored, ExploreOptions } from '../../src/handlers/explore/options.ts'
import type { SavedApplication } from '../../src/handlers/explore/saved.ts'
import { checks, verifyHandler } from '../../src/handlers/verify/suite.ts'
import { FAILURE_REASONS } from '../../src/words/statuses.ts'
import { freePort } from '../free-port.ts'
import { firstLine } from './processes.ts'

/** The bugs planted in fixtures/handlers, by framework. */
export const PLANTED = {
  node: [
    'repeats-unnoticed',
    'order-assumed',
    'answered-before-written',
    'pieces-as-text',
    'opt-out-ignored',
    'retry-storm',
    'stop-unrecorded',
    'reads-in-turn',
    'known-by-header',
  ],
  express: [
    'parsed-before-verified',
    'unknown-refused',
    'unsigned',
    'session-shortened',
    'terminal-overwritten',
    'resent-without-key',
    'exact-content-type',
    'empty-signature-accepted',
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
  fastapi: [
    'closed-enum',
    'complaint-ignored',
    'deletion-ignored',
    'read-then-written',
    'consent-without-kind',
    'ordered-by-day',
  ],
  go: [
    'missing-signature-accepted',
    'unknown-fields-refused',
    'tap-refused',
    'paused-is-completed',
    'older-end-wins',
    'stop-as-prefix',
    'where-forgotten',
  ],
  worker: [
    'ids-in-memory',
    'torn-state',
    'blocked-by-unknown',
    'dies-of-a-reason',
    'window-of-ids',
    'stale-lock',
    'id-stored-first',
    'dies-of-half-a-body',
    'loses-its-queue-at-the-end',
  ],
  serverless: ['ids-per-instance', 'stale-cache', 'secret-of-one-instance', 'latin1-body', 'works-after-answer'],
  outbox: [
    'new-key-each-time',
    'parses-first',
    'dates-are-now',
    'waits-for-ever',
    'tries-once-more',
    'long-wait-is-final',
    'tries-too-often',
    'forgets-after-404',
    'forgets-the-unpaid',
    'tries-without-money',
    'object-in-text',
    'cuts-emoji',
    'own-agent',
    'last-ten-texts',
    'sms-as-rcs',
    'email-needed',
    'orders-by-local-time',
  ],
} as const

export type Framework = keyof typeof PLANTED
export const frameworks = Object.keys(PLANTED) as Framework[]

/** The name of the fixed version. */
export const FIXED = 'fixed'
/** Returns the fixed version of a bug; a bug of a busy database has one with a busy database. */
export const fixedVersionOf = (bug: string) => (bug === 'marked-before-work' ? 'marked-after-work' : FIXED)
const SECRET = 'whsec_of_the_shop'
const SETTLE_MS = 30
const TIMEOUT_MS = 5_000
/** The longest search for a bug; all that schedules find is found before. */
const MAX_SCHEDULES = 600

/** The program of a framework's applications, with its first arguments. Undefined if it is not installed. */
const programs: Readonly<Record<Framework, () => Promise<readonly [string, ...string[]] | undefined>>> = {
  node: async () => [process.execPath, fixture('node.mjs')],
  express: async () => [process.execPath, fixture('express.mjs')],
  fastify: async () => [process.execPath, fixture('fastify.mjs')],
  python: async () => ['python3', fixture('python.py')],
  worker: async () => [process.execPath, fixture('worker.mjs')],
  serverless: async () => [process.execPath, fixture('serverless.mjs')],
  outbox: async () => [process.execPath, fixture('outbox.mjs')],
  async fastapi() {
    // Debian has its packages for its own interpreter.
    const python = ['python3', '/usr/bin/python3'].find((name) => isRunning(name, '-c', 'import fastapi, uvicorn'))
    return python === undefined ? undefined : [python, fixture('fastapi_shop.py')]
  },
  async go() {
    if (!isRunning('go', 'version')) return undefined
    const binary = join(await mkdtemp(join(tmpdir(), 'shop-')), 'shop')
    execFileSync('go', ['build', '-o', binary, fixture('shop.go')], { env: { ...process.env, GOCACHE } })
    return [binary]
  },
}

/** Outlives a run of the tests, as those of the examples do. */
const GOCACHE = fileURLToPath(new URL('../../node_modules/.cache/go', import.meta.url))

const fixture = (file: string) => fileURLToPath(new URL(`../../fixtures/handlers/${file}`, import.meta.url))

const isRunning = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** The frameworks whose applications can be restarted or given a new secret by a request. */
const CAN: Readonly<Partial<Record<Framework, 'restart' | 'rotate'>>> = {
  node: 'restart',
  fastify: 'rotate',
  serverless: 'rotate',
}

export interface Shops {
  /** The explorer's options for the application with this bug, or for the fixed one. */
  application(bug: string): ExploreOptions
  /** The same for a saved test, which runs in `ENVIRONMENT`. */
  saved(bug: string): SavedApplication
  stop(): Promise<void>
}

/** Starts all applications of a framework, undefined if it is not installed. Each exploration puts its sandbox at the same port. */
export async function startShops(framework: Framework): Promise<Shops | undefined> {
  const program = await programs[framework]()
  if (!program) return undefined
  return framework === 'worker' ? startWorkers(program) : startTogether(framework, program)
}

/** All applications in one process. */
async function startTogether(framework: Framework, program: readonly [string, ...string[]]): Promise<Shops> {
  const port = await freePort()
  const bugs = [...PLANTED[framework], FIXED, 'marked-after-work'].join(',')
  const child = spawn(program[0], [...program.slice(1), bugs], { env: environmentOf(port), stdio: STDIO })
  const url = `http://127.0.0.1:${await firstLine(child)}`
  const lever = CAN[framework]
  return {
    application: (bug) => ({
      ...{ handler: `${url}/${bug}/hook`, truth: `${url}/${bug}/truth`, port },
      ...COMMON,
      ...(lever && { [lever]: `${url}/${bug}/${lever}` }),
    }),
    saved: (bug) => ({
      ...{ handler: `${url}/${bug}/hook`, truth: `${url}/${bug}/truth`, port },
      ...(lever && { [lever]: `${url}/${bug}/${lever}` }),
    }),
    async stop() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** A process for each application, which can be killed. */
async function startWorkers(program: readonly [string, ...string[]]): Promise<Shops> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ReturnType<typeof spawnWorker> | undefined
  const savedPort = await freePort()
  let saved = 0
  const spawnWorker = (bug: string) =>
    spawn(program[0], [...program.slice(1), bug], {
      env: { ...environmentOf(0), PORT: String(port), STATE: join(folder, `${bug}.json`) },
      stdio: STDIO,
    })
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const terminate = async () => {
    child!.kill('SIGTERM')
    await once(child!, 'exit')
  }
  const restart = async (bug: string) => {
    await kill()
    child = spawnWorker(bug)
    await firstLine(child)
  }
  return {
    application(bug) {
      return {
        ...{ handler: url, truth: url, ...COMMON, kill, terminate },
        async start() {
          // It may be writing one of them.
          await kill()
          for (const file of await readdir(folder)) await rm(join(folder, file))
          await restart(bug)
        },
        restart: () => restart(bug),
        ended: () => (child!.exitCode === null ? undefined : `exit status ${child!.exitCode}`),
      }
    },
    saved: (bug) => ({
      ...{ handler: `http://127.0.0.1:${savedPort}`, truth: `http://127.0.0.1:${savedPort}` },
      start: {
        command: `SAVED_TEST=1 PORT=${savedPort} STATE=${join(folder, `saved-${saved++}.json`)} exec ${program.join(' ')} ${bug}`,
      },
    }),
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

const COMMON = { secret: SECRET, settleMs: SETTLE_MS, timeoutMs: TIMEOUT_MS }
/** Applications end when their stdin closes, so a killed test run leaves none behind. */
const STDIO = ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore']

/** The environment of applications, and of saved tests. */
export const ENVIRONMENT = { SANDBOX_WEBHOOK_SECRET: SECRET, FAILURE_REASONS: FAILURE_REASONS.join(',') }

const environmentOf = (port: number) => ({
  ...{ ...process.env, ...ENVIRONMENT },
  ...{ SANDBOX_BASE_URL: `http://127.0.0.1:${port}`, SANDBOX_API_KEY: 'sk_sandbox_default' },
})

/** Looks for a bug with schedules, then with checks. Returns the finding's code or the check's name, if any. */
export async function seek(application: ExploreOptions): Promise<{ explored: Explored; code: string | undefined }> {
  const explored = await explore({ ...application, idleSeconds: 0, schedules: MAX_SCHEDULES, timeLimitMs: 0 })
  const code = explored.failure?.findings[0]?.code ?? (await failedChecks(application))[0]
  return { explored, code }
}

/** Returns the names of failing checks, among all or among the given names. */
export async function failedChecks({ handler }: ExploreOptions, names?: readonly string[]): Promise<string[]> {
  const receiver = { url: new URL(String(handler)), secret: SECRET, timeoutMs: TIMEOUT_MS }
  const chosen = checks.filter(({ name }) => names?.includes(name) ?? true)
  const results = await verifyHandler({ receiver, checks: chosen })
  return results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)
}
