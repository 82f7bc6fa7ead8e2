import type { Command } from 'commander'
import { createClient } from '../../client/client.ts'
import { relay } from '../../relay/relay.ts'
import type { Pace } from '../../words/pace.ts'
import { reportFault } from '../failure/report-fault.ts'
import { repeated } from '../generate/flags.ts'
import type { ExitCode } from '../process/exit.ts'
import { usage } from '../process/exit.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { DEFAULT_API_KEY } from '../target/choice.ts'
import { saveBundle } from './exec/bundle.ts'
import { runCommand } from './exec/child.ts'
import { silent } from './exec/silent.ts'
import { routeOf, routesTo, type TargetFlag } from './listen/routes.ts'
import { instantOption, paceOption } from './start/clock.ts'

interface ExecOptions {
  world: string
  clock?: Pace
  now?: string
  seed?: string
  forwardTo?: TargetFlag[]
  saveOnFailure?: string
}

/** Time that a receiver of --forward-to has to answer. */
const TIMEOUT_MS = 5_000

export function add(program: Command, run: Run) {
  const command = program
    .command('exec')
    .description('Run a command with a sandbox of its own, in memory and on a free port, and end with its exit code')
    .argument('<command...>', 'the command with its arguments, after --')
    .option('--world <name|file>', 'world to begin with', 'default')
    .option('--clock <mode>', 'real, frozen, auto, scaled:60', paceOption)
    .option('--now <time>', 'where the clock starts, such as 2027-01-01T00:00Z', instantOption)
    .option('--seed <text>', 'what chance follows from; equal runs with it have equal ids')
    .option(
      '--forward-to <[events=]url>',
      'POST the events there, signed, as sandbox listen does (repeatable)',
      repeated(routeOf),
    )
    .option(
      '--save-on-failure <dir>',
      'where a page of what happened, the world, its events, requests and deliveries are kept if the command fails',
    )
    .passThroughOptions()
    .addHelpText('after', AFTER)
  setAction(command, run, (session, args, options: ExecOptions) => exec(session, args.flat() as string[], options), {
    globals: ['--no-color'],
  })
}

const AFTER = `
The command finds the sandbox by SANDBOX_BASE_URL, SANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET. Nothing counts against rate
limits. A signal is passed on once; without a terminal, whatever the command leaves running ends with it.

Examples:
  $ sandbox exec -- npm test
  $ sandbox exec --world strict.yaml --clock auto --save-on-failure ./failed -- npx vitest run
  $ sandbox exec --forward-to 3000/hook -- sh -c 'npm start & npm test'`

async function exec({ io, output }: Session, command: string[], options: ExecOptions): Promise<ExitCode> {
  if (command[0] === undefined) throw usage('Which command? None is given.', 'For example: sandbox exec -- npm test')
  const emulator = await start(options, io.cwd, output)
  const left = new AbortController()
  try {
    const endpoint = { baseUrl: emulator.url, apiKey: DEFAULT_API_KEY }
    const { secret } = await createClient(endpoint).events.secret()
    const routes = routesTo(options.forwardTo ?? [], { secret, timeoutMs: TIMEOUT_MS, headers: {} })
    const relaying =
      routes.length > 0 ? relay({ ...endpoint, routes, since: 'start', signal: left.signal, on: silent }) : undefined
    const code = await runCommand(io, command, {
      SANDBOX_BASE_URL: emulator.url,
      SANDBOX_API_KEY: DEFAULT_API_KEY,
      SANDBOX_WEBHOOK_SECRET: secret,
    })
    if (code !== 0 && options.saveOnFailure !== undefined)
      await saveBundle(io, output, emulator.url, options.saveOnFailure, {
        title: command.join(' '),
        error: `It ended with ${code}.`,
      })
    left.abort()
    await relaying
    return code
  } finally {
    left.abort()
    await emulator.stop()
  }
}

async function start({ world, clock, now, seed }: ExecOptions, cwd: string, output: Session['output']) {
  const [{ startEmulator }, { loadWorldFile }] = await Promise.all([
    import('../../server/emulator.ts'),
    import('../../server/world-source.ts'),
  ])
  return startEmulator({
    ...{ world: await loadWorldFile(world, cwd), port: 0, clock, now, seed, rateLimits: false },
    onFault: (error, doing) => reportFault(output, error, doing),
  })
}
