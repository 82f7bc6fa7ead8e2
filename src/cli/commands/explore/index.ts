import type { Command } from 'commander'
import { countOf, namesOf, repeated } from '../../generate/flags.ts'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { durationOption } from '../../target/globals.ts'
import { handlerUrlOf } from '../../target/handler.ts'
import { addHandlerOptions, HANDLER_FACTS } from '../verify-handler/options.ts'
import type { ExploreFlags } from './flags.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('explore')
    .description('Test your application with repeated, disordered and lost events')
    .requiredOption('--handler <url>', 'webhook handler: a URL, host:port/path or port/path', handlerUrlOf)
    .requiredOption('--truth <url or command>', 'probe that prints what the application believes, as JSON')
    .option(
      '--secret <secret>',
      'signing secret (env: SANDBOX_WEBHOOK_SECRET; default with --start: a new one in each run)',
    )
    .option(
      '--start <command>',
      'command that starts the application; sets SANDBOX_BASE_URL, SANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET',
    )
    .option('--reset <url or command>', 'clears the application before each batch of schedules')
    .option('--restart <url or command>', 'restarts the application (default with --start: kill and start again)')
    .option('--rotate <url or command>', 'sets a new secret, sent as {"secret"} or in SANDBOX_WEBHOOK_SECRET')
    .option('--flows <names>', 'flows to play (repeatable or comma-separated; default: all)', namesOf)
    .option(
      '--events <names>',
      'subscription of the endpoint: names or families such as message.* (default: all)',
      namesOf,
    )
    .option(
      '--schedules <number>',
      'maximum number of schedules (default: all single disturbances, 300 pairs and 200 random ones)',
      countOf,
    )
    .option('--seed <seed>', 'seed of all choices, or of a failure to repeat it alone (default: a new one)')
    .option('--scenario <file>', 'scenario file to play as a flow (repeatable)', repeated(String))
    .option('--save <file>', 'write the smallest failing schedule to a scenario file')
    .option('--save-test <file>', 'write the smallest failing schedule as a test for vitest')
    .option('--force', 'replace existing files')
    .addOption(
      durationOption('--settle <duration>', 'time without any change before a wrong belief is reported', '600ms'),
    )
    .addOption(durationOption('--idle <duration>', 'real time before a late repetition, 0 for none', '61s'))
    .addOption(durationOption('--time-limit <duration>', 'time limit of the search, 0 for none', '10m'))
    .option('--world <name|file>', 'world that the sandbox starts with', 'default')
    .option('--port <number>', 'port of the sandbox, for an application that sends and is not started here', countOf)
    .addHelpText('after', AFTER)
  addHandlerOptions(command)
  setFacts(command, HANDLER_FACTS)
  setAction(
    command,
    run,
    async (session, _, options: ExploreFlags) => {
      // Loaded on call only, because it brings a whole emulator.
      const { exploreWith } = await import('./run.ts')
      return exploreWith(session, options)
    },
    { globals: ['--output', '--json', '--no-color', '--ca-file', '--insecure'] },
  )
}

const AFTER = `
The explorer runs flows in a sandbox of its own and delivers their events to your handler under single disturbances (repeats,
delays, lost answers, restarts, kills, forgeries …), then pairs, then random schedules. After each one the truth probe must
answer what really happened. A schedule that fails is reduced to the smallest one and exits with 7.
A truth probe answers, for example: {"messages": {"msg_…": "read"}, "suppressed": {"+49…": true}, "replies": {"+49…": 2}}
Flows of your own are scenario files; probe, flows and codes: docs/handlers.md.

Examples:
  $ sandbox explore --handler 3000/hook --truth 3000/truth --start "node server.js"
  $ sandbox explore --handler 3000/hook --truth 3000/truth --schedules 200 --seed ci
  $ sandbox explore --handler 3000/hook --truth 3000/truth --scenario order.yaml --header "Authorization: Bearer …"`
