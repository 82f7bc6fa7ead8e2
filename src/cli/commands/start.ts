import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { sinceProcessStart } from '../../http/stopwatch.ts'
import type { Emulator } from '../../server/emulator.ts'
import { isLoopback } from '../../server/guard.ts'
import { isControlToken } from '../../words/control-token.ts'
import type { Pace } from '../../words/pace.ts'
import { Problem } from '../../words/problem.ts'
import { VERSION } from '../../words/version.ts'
import { WORLD_NAMES } from '../../words/worlds.ts'
import type { WorldFile } from '../../world/file/world-file.ts'
import { reportFault } from '../failure/report-fault.ts'
import type { Output } from '../output/output.ts'
import { abortable } from '../process/abortable.ts'
import { EXIT, misconfigured } from '../process/exit.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { DEFAULT_API_KEY, DEFAULT_BASE_URL } from '../target/choice.ts'
import { listAsRunning } from '../target/running.ts'
import { activityTeller } from './start/activity.ts'
import { magicTable } from './start/banner.ts'
import { clockLine, instantOption, paceOption } from './start/clock.ts'
import { detachedArguments, logFileOf, startDetached } from './start/detach.ts'
import { portFault, portOf } from './start/port.ts'
import { findStarter, starterEnded } from './start/starter.ts'

interface StartOptions {
  port: number
  host?: string
  controlToken?: string | undefined
  memory?: boolean
  data: string
  world: string
  clock?: Pace
  now?: string
  seed?: string
  rateLimit: boolean
  maxNamespaces?: number
  maxOpenNamespaces?: number
  quiet?: boolean
  verbose?: boolean
  detach?: boolean
  log?: string
}

export const DEFAULT_PORT = Number(new URL(DEFAULT_BASE_URL).port)

export function add(program: Command, run: Run) {
  const command = program
    .command('start')
    .description('Start the emulator and serve until it is stopped')
    .option('--port <port>', 'port to listen on; 0 takes a free one', portOf, DEFAULT_PORT)
    .option('--host <address>', 'listen on this address too, open to others; 0.0.0.0 is all')
    .option(
      '--control-token <token>',
      'what callers of the control plane must send; else SANDBOX_CONTROL_TOKEN, else made where --host opens it',
      tokenOf,
    )
    .addOption(new Option('--memory', 'keep nothing on disk').conflicts('data'))
    .option('--data <dir>', 'folder to keep the data in', folderOf, '.sandbox')
    .option(
      '--world <name|file>',
      `world to begin with: ${WORLD_NAMES.join(', ')}, or the path of a world file`,
      'default',
    )
    .option(
      '--clock <mode>',
      'real, frozen (moves only when told), auto (jumps to what comes next), scaled:60 (60 times as fast)',
      paceOption,
    )
    .option('--now <time>', 'where the clock starts, such as 2027-01-01T00:00Z', instantOption)
    .option('--seed <text>', 'what chance follows from; equal runs with it have equal ids')
    .option('--no-rate-limit', 'count no requests against the rate limits')
    .option(
      '--max-namespaces <n>',
      'how many namespaces there may be, each a world of its own (default: 1000)',
      countOf,
    )
    .option(
      '--max-open-namespaces <n>',
      'how many of them are kept in memory; those used longest ago sleep on disk (default: 256)',
      countOf,
    )
    .addOption(new Option('--quiet', 'say only what programs need: one line when ready').conflicts('verbose'))
    .option('--verbose', 'a line for each request, event and delivery; on a terminal that is so unless --quiet')
    .option('--detach', 'run in the background: ends when it is ready, and prints where; sandbox stop ends the sandbox')
    .addOption(
      new Option(
        '--log <file>',
        'with --detach, the file that all else is written to (default: sandbox.log in the data folder)',
      ).implies({ detach: true }),
    )
    .addHelpText(
      'after',
      '\nStopped by Ctrl-C, SIGTERM, "sandbox stop" or the end of the npx or npm that started it, it finishes the requests\nunder way and exits with 0; a second signal ends it at once.\n\nExamples:\n  $ sandbox start\n  $ sandbox start --detach\n  $ sandbox start --memory --port 0 --clock frozen\n  $ sandbox start --world low-balance --data .low-balance',
    )
  const work = (session: Session, options: StartOptions) =>
    options.detach ? detach(session, options, run.argv) : start(session, options)
  setAction(command, run, (session, _, options) => work(session, options as unknown as StartOptions), {
    globals: ['--output', '--json', '--no-color'],
  })
}

/**
 * Limits the memory of V8. Under load it would take 300 MB: the space for new objects grows, the heap may double, and
 * the middle compiler keeps its data. One thread clears so small a space for new objects sooner than several that first
 * have to agree (docs/decisions/a-small-server.md).
 */
function limitMemory() {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--no-maglev')
}

async function start({ io, output }: Session, options: StartOptions) {
  limitMemory()
  const folder = options.memory ? undefined : dataFolder(io, options)
  options.controlToken ??= configuredToken(io)
  // Found before the start, so that a starter that ends meanwhile is noticed.
  const starter = findStarter(io)
  const opening = open(options, folder, io.cwd, output)
  const { emulator, world } = await abortable(opening, io, (late) => late.emulator.stop())
  warnOtherWorld(emulator, world, options, output)
  const { url, port, controlToken } = emulator
  const unlist = listAsRunning(io, { url, port, pid: process.pid, data: folder ?? null, control_token: controlToken })
  const over = new AbortController()
  try {
    await ready(emulator, options, folder, output, magicTable(world.sections.magic_recipients))
    const starterIsGone = starterEnded(await starter, AbortSignal.any([io.signal, over.signal]))
    await Promise.race([aborted(io.signal), emulator.stopped, starterIsGone])
    if (!options.quiet) output.note((paint) => paint.dim('stopping …'))
    await emulator.stop()
  } finally {
    // The check of the starter must not keep the process alive.
    over.abort()
    unlist()
  }
  return EXIT.ok
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function detach({ io, output }: Session, options: StartOptions, argv: readonly string[]) {
  const folder = options.memory ? undefined : dataFolder(io, options)
  const log = options.log === undefined ? logFileOf(io, folder, options.port) : resolve(io.cwd, options.log)
  const isTold = options.quiet || options.verbose
  const ready = await startDetached(io, [...detachedArguments(argv), ...(isTold ? [] : ['--verbose'])], log).catch(
    async (error) => {
      throw await startFailure(error, options)
    },
  )
  output.data({ ...ready, log }, (paint) =>
    [
      `${paint.green('✓')} ${paint.bold('messaging sandbox')} runs at ${paint.cyan(ready.url)} ${paint.dim(`(process ${ready.pid})`)}`,
      `  log   ${log}`,
      `  Stop  ${paint.command(`stop --port ${new URL(ready.url).port}`)}`,
    ].join('\n'),
  )
}

/** Refuses a working folder that was deleted while a shell stands in it: nobody would find the data. */
function dataFolder({ cwd }: Session['io'], { data }: StartOptions): string {
  if (!isAbsolute(data) && !statSync(cwd, { throwIfNoEntry: false }))
    throw misconfigured(`The folder ${cwd} does not exist any more.`, 'Go to one that does, or start with --memory.')
  return resolve(cwd, data)
}

/** Warns that an existing data folder keeps its world, whatever --world says. */
function warnOtherWorld({ madeFrom }: Emulator, { origin }: WorldFile, { data, world }: StartOptions, output: Output) {
  if (madeFrom === undefined || madeFrom === origin) return
  const message = `${data} holds a world made from ${madeFrom}, and goes on with it; new namespaces and resets begin from ${world}.`
  const hint = output.withProgramName(
    `Start with --world ${madeFrom} to keep to it, with another --data to begin anew, or: sandbox world reset`,
  )
  output.warn(
    { warning: 'other_world', message, hint },
    (paint) => `${paint.yellow(`! ${message}`)}\n${paint.dim(`  ${hint}`)}`,
  )
}

function configuredToken({ env }: Session['io']): string | undefined {
  const token = env.SANDBOX_CONTROL_TOKEN || undefined
  if (token === undefined || isControlToken(token)) return token
  throw misconfigured('SANDBOX_CONTROL_TOKEN must have 16 to 200 visible ASCII characters.')
}

async function open(
  options: StartOptions,
  folder: string | undefined,
  cwd: string,
  output: Output,
): Promise<{ emulator: Emulator; world: WorldFile }> {
  const [{ startEmulator }, { loadWorldFile }] = await Promise.all([
    import('../../server/emulator.ts'),
    import('../../server/world-source.ts'),
  ])
  try {
    const world = await loadWorldFile(options.world, cwd)
    const emulator = await startEmulator({
      world,
      folder,
      port: options.port,
      host: options.host,
      controlToken: options.controlToken,
      clock: options.clock,
      now: options.now,
      seed: options.seed,
      rateLimits: options.rateLimit,
      maxNamespaces: options.maxNamespaces,
      maxOpenNamespaces: options.maxOpenNamespaces,
      onActivity: options.verbose || (output.isForPeople && !options.quiet) ? activityTeller(output) : undefined,
      onFault: (error, doing) => reportFault(output, error, doing),
    })
    return { emulator, world }
  } catch (error) {
    throw await startFailure(error, options)
  }
}

/** How the system and SQLite report a folder that cannot be created or written. */
const UNWRITABLE =
  /^(E(ACCES|PERM|ROFS|NOTDIR|EXIST|NOENT|ISDIR|LOOP|NAMETOOLONG|NOSPC|DQUOT|IO)$|SQLITE_(CANTOPEN|READONLY|FULL|IOERR))/

/** Translates failures of a start that the user can mend. */
async function startFailure(error: unknown, { host, port }: StartOptions): Promise<unknown> {
  const { name, message, code } = error as NodeJS.ErrnoException
  if (name === 'PortInUse') return portFault(port)
  if (name === 'FolderInUse')
    return misconfigured(message, undefined, { owner: (error as { owner?: unknown }).owner ?? null })
  if (name === 'SchemaMismatch') return misconfigured(message)
  if (error instanceof Problem && error.code === 'world_damaged')
    return misconfigured(
      `${error.extra.file} is damaged, or not a file of the sandbox.`,
      'Put a copy in its place, move it away to begin anew, or start with another --data folder.',
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return misconfigured(`--host ${host} is no address of this machine.`)
  if (code === 'EACCES' && /listen/.test(message))
    return misconfigured(`Port ${port} may not be used by this user.`, 'Choose one above 1023, or --port 0.')
  if (UNWRITABLE.test(code ?? ''))
    return misconfigured(
      `The data folder cannot be written: ${message}.`,
      'Choose another with --data, or start with --memory.',
    )
  return error
}

async function ready(
  emulator: Emulator,
  { host, controlToken: given, quiet, world }: StartOptions,
  folder: string | undefined,
  output: Output,
  recipients: ReturnType<typeof magicTable>,
) {
  const { url, port } = emulator
  // A token from the flag or the environment is known to the user already.
  const token = given === undefined ? emulator.controlToken : undefined
  const ms = Math.round(sinceProcessStart())
  const clock = clockLine(emulator.worlds.get('default').clock.pace)
  if (host !== undefined && !isLoopback(host)) {
    const message = `The emulator is open to everybody who reaches ${host}:${port}; its control plane demands the token.`
    output.warn({ warning: 'open_to_network', message }, (paint) => paint.yellow(`! ${message}`))
  }
  const line = {
    ready: true,
    url,
    api_key: DEFAULT_API_KEY,
    ...(token === undefined ? {} : { control_token: token }),
    data: folder ?? null,
    pid: process.pid,
    ready_ms: ms,
    version: VERSION,
  }
  const table = output.isForPeople && !quiet ? recipients : []
  const flags = port === DEFAULT_PORT ? '' : ` --base-url ${url}`
  const first = table.length > 0 ? `send${flags} +491713920000 --text "Your order is on its way"` : `world show${flags}`
  output.item(line, (paint) =>
    quiet
      ? `ready at ${url}${token === undefined ? '' : `\ncontrol token ${token}`}`
      : [
          `${paint.green('✓')} ${paint.bold('messaging sandbox')} ${paint.dim(`v${VERSION} · ready in ${ms} ms`)}`,
          '',
          `  base URL  ${paint.cyan(url)}`,
          `  API key   ${paint.cyan(DEFAULT_API_KEY)}  ${paint.dim('sk_sandbox_<name> is a world of its own')}`,
          ...(token === undefined
            ? []
            : [
                `  token     ${paint.cyan(token)}  ${paint.dim('elsewhere: SANDBOX_CONTROL_TOKEN or --control-token')}`,
              ]),
          `  data      ${folder ?? 'in memory, gone at the end'}${world === 'default' ? '' : `\n  world     ${world}`}${clock ? `\n  clock     ${output.withProgramName(clock)}` : ''}`,
          '',
          ...(table.length > 0
            ? [
                `  ${paint.bold('Magic recipients')}`,
                ...table.map(([address, what]) => `  ${address.padEnd(24)}${paint.dim(what)}`),
                '',
              ]
            : []),
          `  Try       ${paint.command(first)}`,
          paint.dim('  Stop with Ctrl-C'),
        ].join('\n'),
  )
}

function tokenOf(text: string): string {
  if (isControlToken(text)) return text
  throw new InvalidArgumentError('It must have 16 to 200 visible ASCII characters.')
}

function folderOf(text: string): string {
  // An unset shell variable must not spread the data over the working folder.
  if (text.trim() === '') throw new InvalidArgumentError('It must name a folder.')
  return text
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
  return Number(text)
}
