import type { Command } from 'commander'
import { countOf, namesOf, repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { durationOption, OUTPUT_GLOBALS } from '../../target/globals.ts'
import { handlerUrlOf } from '../../target/handler.ts'
import { addHandlerOptions, HANDLER_FACTS } from '../verify-handler/options.ts'
import type { ExploreFlags } from './flags.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('explore')
    .description('Test your application with repeated, disordered and lost events')
    .requiredOption('--handler <url>', 'webhook handler: a URL, host:port/path or port/path', handlerUrlOf)
    .requiredOption('--truth <url or command>', 'probe that returns what your application believes, as JSON')
    .option('--secret <secret>', 'signing secret (env: SANDBOX_WEBHOOK_SECRET; default with --start: a new one)')
    .option(
      '--start <command>',
      'command that starts your application, with SANDBOX_BASE_URL, SANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET',
    )
    .option('--reset <url or command>', 'clears the application before each batch of schedules')
    .option('--restart <url or command>', 'restarts the application (default with --start: stop and start)')
    .option('--rotate <url or command>', 'sets a new secret, sent as {"secret"} or in SANDBOX_WEBHOOK_SECRET')
    .option('--port <number>', 'port of the sandbox, for an application not started here', countOf)
  addHandlerOptions(command)
  command
    .optionsGroup('Search:')
    .option('--flows <names>', 'flows to play (repeatable, or a,b; default: all)', namesOf)
    .option('--scenario <file>', 'scenario file to play as a flow (repeatable)', repeated(String))
    .option('--events <names>', 'names or families of events (default: all)', namesOf)
    .option('--world <name|file>', 'world that the sandbox starts with', 'default')
    .option(
      '--schedules <number>',
      'maximum number of schedules (default: all with one disturbance, a sample of those with more)',
      countOf,
    )
    .option('--seed <seed>', 'seed of all choices, or of a failure to repeat (default: a new one)')
    .addOption(durationOption('--settle <duration>', 'time a wrong state must last to count as a failure', '600ms'))
    .addOption(durationOption('--idle <duration>', 'real time before a late repetition or retry, 0 for none', '61s'))
    .addOption(durationOption('--time-limit <duration>', 'time limit of the search, 0 for none', '10m'))

    .optionsGroup('Result:')
    .option('--save <file>', 'write the smallest failure as a scenario file')
    .option('--save-test <file>', 'write the smallest failure as a test for vitest')
    .option('--junit <file>', 'write a JUnit report for CI')
    .option('--force', 'replace existing files')
    .addHelpText('after', AFTER)
  setAction(
    command,
    run,
    { ...HANDLER_FACTS, globals: [...OUTPUT_GLOBALS, '--ca-file', '--insecure'] },
    // Loaded on call only, because it brings a whole emulator.
    async (session, _, options: ExploreFlags) => (await import('./run.ts')).exploreWith(session, options),
  )
}

const AFTER = `
The explorer plays flows (stories such as a newsletter that a user answers with STOP) in a sandbox of its own, and disturbs the delivery
of their events: repeats, delays, lost answers, restarts, kills, forgeries … After each schedule, which is one disturbed delivery, the
truth probe must match what happened. The command reduces a failure to the smallest schedule and exits with 7.
Probe, flows and codes: docs/handlers.md. An answer of a probe:
  {"messages": {"msg_…": "read"}, "suppressed": {"+49…": true}}

Examples:
  $ sandbox explore --handler 3000/hook --truth 3000/truth --start "node server.js"
  $ sandbox explore --handler 3000/hook --truth 3000/truth --schedules 200 --seed ci
  $ sandbox explore --handler 3000/hook --truth 3000/truth --scenario order.yaml --header "Authorization: Bearer …"`
