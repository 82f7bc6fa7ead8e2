import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { sinceProcessStart } from '../../client/stopwatch.ts'
import type { Emulator } from '../../server/emulator.ts'
import { isLoopback } from '../../server/guard.ts'
import { VERSION } from '../../version.ts'
import type { WorldFile } from '../../world/world-file.ts'
import { EXIT, misconfigured } from '../exit.ts'
import { DEFAULT_API_KEY, DEFAULT_BASE_URL } from '../globals.ts'
import type { Output } from '../output.ts'
import { does, type Run, type Session } from '../session.ts'
import { magicTable } from './start/banner.ts'
import { portFault } from './start/port.ts'

interface StartOptions {
  port: number
  host?: string
  memory?: boolean
  data: string
  world: string
  clock?: 'real' | 'frozen'
  now?: string
  seed?: string
  rateLimit: boolean
  quiet?: boolean
}

export const DEFAULT_PORT = Number(new URL(DEFAULT_BASE_URL).port)

export function addStart(program: Command, run: Run) {
  const command = program
    .command('start')
    .description('Start the emulator and serve until it is stopped')
    .option('--port <port>', 'port to listen on; 0 takes a free one', portOf, DEFAULT_PORT)
    .option('--host <address>', 'listen on this address too, open to others; 0.0.0.0 is all')
    .addOption(new Option('--memory', 'keep nothing on disk').conflicts('data'))
    .option('--data <dir>', 'folder to keep the data in', '.sandbox')
    .option('--world <name|file>', 'world to begin with: one that comes with the package, or a YAML file', 'default')
    .addOption(
      new Option('--clock <mode>', 'real runs with the machine, frozen moves only when told').choices([
        'real',
        'frozen',
      ]),
    )
    .option('--now <time>', 'where the clock starts, ISO 8601 UTC', timeOf)
    .option('--seed <text>', 'what everything that happens by chance follows from')
    .option('--no-rate-limit', 'count no requests against the rate limits')
    .option('--quiet', 'say only what programs need: one line when ready')
    .addHelpText(
      'after',
      '\nStopped by Ctrl-C or SIGTERM it finishes the requests under way and exits with 0; a second signal ends it at once.',
    )
  does(command, run, (session, _, options) => start(session, options as unknown as StartOptions), {
    globals: ['--json', '--no-color'],
  })
}

/**
 * Under load V8 lets its space for new objects grow to 130 MB. A tool that runs beside everything else on a developer's
 * machine stays small instead, at the price of a tenth of its throughput.
 */
function staySmall() {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
}

async function start({ io, output }: Session, options: StartOptions) {
  staySmall()
  const folder = options.memory ? undefined : resolve(io.cwd, options.data)
  const { emulator, world } = await open(options, folder, io.cwd, output)
  await ready(emulator, options, folder, output, magicTable(world.sections.magic_recipients))
  if (!io.signal.aborted)
    await new Promise<void>((done) => io.signal.addEventListener('abort', () => done(), { once: true }))
  if (!options.quiet) output.note((paint) => paint.dim('stopping …'))
  await emulator.stop()
  return EXIT.ok
}

async function open(
  options: StartOptions,
  folder: string | undefined,
  cwd: string,
  output: Output,
): Promise<{ emulator: Emulator; world: WorldFile }> {
  const [{ startEmulator }, { loadWorldFile }] = await Promise.all([
    import('../../server/emulator.ts'),
    import('../../fixtures.ts'),
  ])
  const isName = /^[\w-]+$/.test(options.world)
  try {
    const world = await loadWorldFile(isName ? options.world : resolve(cwd, options.world))
    const emulator = await startEmulator({
      world,
      folder,
      port: options.port,
      host: options.host,
      clock: options.clock,
      now: options.now,
      seed: options.seed,
      rateLimits: options.rateLimit,
      onFault: (error, doing) => tellFault(output, error, doing),
    })
    return { emulator, world }
  } catch (error) {
    throw await inWordsOfTheUser(error, options)
  }
}

/** What a user can mend when a start fails. */
async function inWordsOfTheUser(error: unknown, { host, port }: StartOptions): Promise<unknown> {
  const { name, message, code } = error as NodeJS.ErrnoException
  if (name === 'PortInUse') return portFault(port)
  if (name === 'FolderInUse')
    return misconfigured(message, undefined, { owner: (error as { owner?: unknown }).owner ?? null })
  if (name === 'SchemaMismatch' || name === 'NotAWorld') return misconfigured(message)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return misconfigured(`--host ${host} is no address of this machine.`)
  if (code === 'EACCES' && /listen/.test(message))
    return misconfigured(`Port ${port} may not be used by this user.`, 'Choose one above 1023, or --port 0.')
  if (
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'EROFS' ||
    code === 'ENOTDIR' ||
    code === 'ENOSPC' ||
    /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR)/.test(code ?? '')
  )
    return misconfigured(
      `The data folder cannot be written: ${message}.`,
      'Choose another with --data, or start with --memory.',
    )
  return error
}

async function ready(
  emulator: Emulator,
  { host, clock, quiet }: StartOptions,
  folder: string | undefined,
  output: Output,
  recipients: ReturnType<typeof magicTable>,
) {
  const { url, port } = emulator
  const ms = Math.round(sinceProcessStart())
  if (host !== undefined && !isLoopback(host))
    output.warn(
      {
        warning: 'open_to_network',
        message: `The emulator and its control plane are open to everybody who reaches ${host}:${port}.`,
      },
      (paint) =>
        paint.yellow(`! The emulator and its control plane are open to everybody who reaches ${host}:${port}.`),
    )
  const line = {
    ready: true,
    url,
    api_key: DEFAULT_API_KEY,
    data: folder ?? null,
    pid: process.pid,
    ready_ms: ms,
    version: VERSION,
  }
  const table = output.people && !quiet ? recipients : []
  output.data(line, (paint) =>
    quiet
      ? `ready at ${url}`
      : [
          `${paint.green('✓')} ${paint.bold('messaging sandbox')} ${paint.dim(`v${VERSION} · ready in ${ms} ms`)}`,
          '',
          `  base URL  ${paint.cyan(url)}`,
          `  API key   ${paint.cyan(DEFAULT_API_KEY)}  ${paint.dim('sk_sandbox_<name> is a world of its own')}`,
          `  data      ${folder ?? 'in memory, gone at the end'}${clock === 'frozen' ? '\n  clock     frozen: sandbox clock advance 24h' : ''}`,
          '',
          `  ${paint.bold('Magic recipients')}`,
          ...table.map(([address, what]) => `  ${address.padEnd(24)}${paint.dim(what)}`),
          '',
          `  Try       ${paint.cyan(`npx sandbox send ${port === DEFAULT_PORT ? '' : `--base-url ${url} `}+491713920000 --text "Your order is on its way"`)}`,
          paint.dim('  Stop with Ctrl-C'),
        ].join('\n'),
  )
}

function tellFault(output: Output, error: unknown, doing: string) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  output.warn(
    { error: 'bug', message: `A bug while ${doing}; please report it.`, stack },
    (paint) => `${paint.red('✗')} A bug while ${doing}; please report it.\n${paint.dim(stack)}`,
  )
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return port
}

function timeOf(text: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new InvalidArgumentError('It must be a time such as 2026-01-01T00:00:00Z.')
  return text
}
