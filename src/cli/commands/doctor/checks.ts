import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { exchange, Unreachable } from '../../../http/exchange.ts'
import { isThisMachine } from '../../../http/request.ts'
import { isSignedWith, sign } from '../../../http/signature.ts'
import { Fault, Interrupted } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { credentialsOf } from '../../target/credentials.ts'
import { networkOf, proxyIn } from '../../target/network.ts'
import { portFault } from '../start/port.ts'

export interface Diagnosis {
  /** A warning does not fail the command. */
  outcome: 'ok' | 'warning' | 'failed'
  found: string
  remedy?: string | undefined
}

export type DoctorCheck = () => Promise<Diagnosis>

const ok = (found: string): Diagnosis => ({ outcome: 'ok', found })
const warning = (found: string, remedy?: string): Diagnosis => ({ outcome: 'warning', found, remedy: remedy })
const failed = (found: string, remedy?: string): Diagnosis => ({ outcome: 'failed', found, remedy: remedy })

/** The checks in the order of their report. */
export const checksOf = (
  session: Session,
  { port, data }: { port: number; data: string },
): Record<string, DoctorCheck> => ({
  'Node.js': node,
  port: () => portIsFree(port),
  loopback,
  'data folder': () => dataFolder(resolve(session.io.cwd, data), data),
  clock: () => clock(session),
  proxy: async () => proxy(session),
  service: () => service(session),
  signature: async () => signature(),
})

const MIN_NODE = [22, 22] as const

async function node(): Promise<Diagnosis> {
  const { node: version } = process.versions
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
  return isEnough ? ok(version) : failed(version, `Install Node.js ${MIN_NODE.join('.')} or newer: https://nodejs.org`)
}

async function portIsFree(port: number): Promise<Diagnosis> {
  const fault = await listening(port, '127.0.0.1')
  if (fault === undefined) return ok(`${port} is free`)
  if (fault !== 'EADDRINUSE')
    return failed(`${port} cannot be used: ${fault}`, 'Choose another: sandbox start --port 0')
  const { message, hint, extra } = await portFault(port)
  return extra.sandbox ? ok(`${port} is used by a running sandbox`) : failed(message, hint)
}

/** The error of listening on an address; undefined if it works. */
const listening = (port: number, host: string): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => done(code))
    server.listen(port, host, () => server.close(() => done(undefined)))
  })

async function loopback(): Promise<Diagnosis> {
  const [four, six] = [await listening(0, '127.0.0.1'), await listening(0, '::1')]
  if (four !== undefined)
    return failed(`127.0.0.1 cannot be used: ${four}`, 'Check the firewall or the settings of the container.')
  if (six === undefined) return ok('127.0.0.1 and ::1')
  return warning(`127.0.0.1, but not ::1 (${six})`, 'If "localhost" resolves to ::1 only, use http://127.0.0.1.')
}

const MIN_FREE_BYTES = 100e6

async function dataFolder(folder: string, label: string): Promise<Diagnosis> {
  const place = await nearest(folder)
  try {
    await rm(await probeIn(place), { recursive: true })
    const { bavail, bsize } = await statfs(place)
    const room = bavail * bsize
    if (room < MIN_FREE_BYTES)
      return warning(`${label} has ${Math.round(room / 1e6)} MB free`, 'Free some space, or start with --memory.')
    return ok(place === folder ? `${label} is writable` : `${label} can be created`)
  } catch (error) {
    return failed(
      `${label} cannot be written: ${(error as Error).message}`,
      'Choose another with --data, or start with --memory: sandbox start --memory',
    )
  }
}

/** The folder, or its nearest ancestor that exists. */
async function nearest(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => undefined)
  return stats || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

async function probeIn(folder: string): Promise<string> {
  const place = await mkdtemp(join(folder, '.sandbox-doctor-'))
  await writeFile(join(place, 'probe'), '')
  return place
}

/** Many servers refuse certificates and signatures that are off by more than a minute. */
const MAX_CLOCK_SKEW_MS = 60_000
const RELEASED = Date.parse('2026-01-01')

async function clock(session: Session): Promise<Diagnosis> {
  const place = await probeIn(tmpdir()).catch(() => undefined)
  if (!place) return warning('needs a folder for temporary files', 'Check the folder for temporary files (TMPDIR).')
  const { mtime, mtimeMs: now } = await stat(join(place, 'probe'))
  await rm(place, { recursive: true })
  const time = mtime.toISOString()
  if (now < RELEASED)
    return failed(`${time} is in the past`, 'Set the clock of this machine; otherwise certificates are refused.')
  const apart = await clockSkewOf(session, now).catch(() => undefined)
  if (apart !== undefined && Math.abs(apart) > MAX_CLOCK_SKEW_MS)
    return failed(
      `${time} is ${Math.round(apart / 1_000)} s off the clock of the service`,
      'Set the clock of this machine.',
    )
  return ok(time)
}

/** Compares the machine's clock with the `Date` header of a service on another machine. */
async function clockSkewOf({ endpoint }: Session, now: number): Promise<number | undefined> {
  const url = new URL(endpoint.baseUrl)
  if (isThisMachine(url)) return undefined
  const { headers } = await exchange({ method: 'GET', url, headers: {}, timeoutMs: 5_000, network: endpoint.network })
  return headers.date === undefined ? undefined : now - Date.parse(headers.date)
}

function proxy({ io }: Session): Diagnosis {
  try {
    networkOf(io, {})
    const name = proxyIn(io.env)
    return ok(name ? `${name}, except for this machine` : 'none')
  } catch (error) {
    return failed((error as Error).message, 'Correct it, or unset it.')
  }
}

async function service(session: Session): Promise<Diagnosis> {
  try {
    const { baseUrl } = session.endpoint
    const isSandbox = await session.endpoint.isEmulator()
    const { key_accepted, token_accepted, error, hint, note } = await credentialsOf(session)
    const accepted = [key_accepted && 'the key', token_accepted && 'the control token'].filter(Boolean).join(' and ')
    const found = `${isSandbox ? 'a sandbox' : 'a service'} answers at ${baseUrl} and accepts ${accepted}`
    if (error) return failed(error, hint ?? WHICH_SERVICE)
    return { ...ok(found), remedy: note }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    return unreached(session, error as Error)
  }
}

function unreached(session: Session, error: Error): Diagnosis {
  if (error instanceof Unreachable && isThisMachine(new URL(session.endpoint.baseUrl)))
    return warning(`no sandbox runs at ${session.endpoint.baseUrl}`, 'Start it: sandbox start')
  const hint = error instanceof Fault ? error.hint : undefined
  return failed(error.message, hint ?? WHICH_SERVICE)
}

const WHICH_SERVICE = 'To see which service is used, and why: sandbox status'

/** Computed with openssl dgst -sha256 -hmac. */
const KNOWN_SIGNATURE = {
  secret: 'whsec_doctor',
  body: '{"ok":true}',
  signature: 'sha256=6396a8ff3028bcd11cb446cebba4a0192ebdb05f452ec79e7afb1411b8a4a514',
}

function signature(): Diagnosis {
  const { secret, body, signature: right } = KNOWN_SIGNATURE
  const isRight = sign(secret, body) === right && isSignedWith(secret, Buffer.from(body), right)
  if (isRight && !isSignedWith(secret, Buffer.from(`${body} `), right)) return ok('signatures match those of openssl')
  return failed('a signature is wrong', 'This is a bug; please report it with the version: sandbox --version')
}
