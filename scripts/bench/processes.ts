import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { binaryPath, isHost, targets } from '../binary/targets.ts'

const ROOT = new URL('../../', import.meta.url)
export const BIN = fileURLToPath(new URL('bin/sandbox.js', ROOT))
export const FIRST_USE = fileURLToPath(new URL('scripts/bench/first-use.mjs', ROOT))
const SUITE_WORKER = fileURLToPath(new URL('scripts/bench/suite-worker.mjs', ROOT))
const RECEIVER = fileURLToPath(new URL('scripts/bench/receiver.ts', ROOT))
const EXPRESS = fileURLToPath(new URL('scripts/bench/express.ts', ROOT))

export interface Running {
  port: number
  /** Time from spawn to the line of readiness, ms. */
  readyMs: number
  /** Time since spawn, ms. */
  age(): number
  /** Resident memory, bytes. */
  memory(): number
  /** CPU time since spawn, ms. */
  cpu(): number
  stop(): Promise<void>
}

export const startSandbox = (...flags: string[]): Promise<Running> =>
  start(process.execPath, [BIN, 'start', '--port', '0', ...flags])
export const startExpress = (): Promise<Running> => start(process.execPath, [EXPRESS])
export const startReceiver = (): Promise<Running> => start(process.execPath, [RECEIVER])

/** The path of this platform's binary, made by `npm run build:binary`. */
export const BINARY = fileURLToPath(new URL(binaryPath(targets.find(isHost)!), ROOT))
export const startBinary = (...flags: string[]): Promise<Running> => start(BINARY, ['start', '--port', '0', ...flags])

/** Starts a server whose first line is JSON with its address. */
async function start(program: string, args: string[]): Promise<Running> {
  const from = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await firstLine(child)
  const readyMs = performance.now() - from
  return {
    port: Number(new URL((JSON.parse(line) as { url: string }).url).port),
    readyMs,
    age: () => performance.now() - from,
    memory: () => memoryOf(child.pid!),
    cpu: () => cpuOf(child.pid!),
    stop: () => ended(child, () => child.kill('SIGTERM')),
  }
}

/** Measures the CPU time of this process for some work, ms. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** Measures a program from spawn to end, ms. */
export async function runTime(args: string[]): Promise<number> {
  const from = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  await ended(child)
  return performance.now() - from
}

export async function firstLine({ stdout }: Pick<ChildProcess, 'stdout'>): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) return line
  throw new Error('the server ended before it was ready')
}

/** Runs this number of tests in `suite-worker.mjs` and returns its figures. */
export async function suiteWorker(tests: number): Promise<{ share: number; memory: number; before: number }> {
  const child = spawn(process.execPath, [SUITE_WORKER, String(tests)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await firstLine(child))
}

function ended(child: ChildProcess, how?: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    how?.()
  })
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
}

/** User and system time, of which Linux counts hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
