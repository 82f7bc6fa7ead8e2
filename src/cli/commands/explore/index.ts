import type { Command } from 'commander'
import { countOf, namesOf, repeated } from '../../generate/flags.ts'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { targetOf } from '../../session/target.ts'
import { durationOption } from '../../target/globals.ts'
import type { ExploreFlags } from './flags.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('explore')
    .description('Test your application with repeated, disordered and lost events')
    .requiredOption('--handler <url>', 'takes the webhooks: a URL, host:port/path or port/path', targetOf)
    .requiredOption('--truth <url or command>', 'tells as JSON what the application believes (docs/handlers.md)')
    .option('--secret <secret>', 'what the handler verifies with; else SANDBOX_WEBHOOK_SECRET; with --start a new one')
    .option(
      '--start <command>',
      'starts the application, which finds SANDBOX_BASE_URL, SANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET',
    )
    .option('--reset <url or command>', 'makes the application forget everything, before each schedule')
    .option('--restart <url or command>', 'restarts it; with --start it is killed and started again')
    .option('--rotate <url or command>', 'tells it a new secret: as {"secret"}, or as SANDBOX_WEBHOOK_SECRET')
    .option('--flows <names>', 'only these flows (repeatable, or separated by commas)', namesOf)
    .option('--events <names>', 'what the endpoint is subscribed to: names or families such as message.*', namesOf)
    .option('--schedules <number>', 'how many schedules are played at most', countOf, 100)
    .option('--seed <seed>', 'equal seeds play equal schedules; that of a failure plays this one alone')
    .option(
      '--scenario <file>',
      'a scenario file as a flow (repeatable); then no others but those of --flows',
      repeated(String),
    )
    .option('--save <file>', 'write the smallest failing schedule to a scenario file, for --scenario and sandbox run')
    .option('--save-test <file>', 'write it as a test for vitest')
    .option('--force', 'replace files that are there')
    .addOption(durationOption('--timeout <duration>', 'how long the handler may take to answer', '5s'))
    .addOption(durationOption('--settle <duration>', 'how long the application may take to update its belief', '200ms'))
    .option('--world <name|file>', 'world that the sandbox begins with', 'default')
    .option('--port <number>', 'port of the sandbox that is driven, for an application that sends', countOf)
    .option('--live', 'aim at an application on another machine')
    .addHelpText('after', AFTER)
  setFacts(command, {
    group: 'testing',
    effect: 'writes',
    needs: 'nothing',
    exits: ['unreachable', 'expectation', 'liveGuard'],
  })
  setAction(
    command,
    run,
    async (session, _, options: ExploreFlags) => {
      // Loaded on call only, because it brings a whole emulator.
      const { exploreWith } = await import('./run.ts')
      return exploreWith(session, options)
    },
    { globals: ['--json', '--no-color'] },
  )
}

const AFTER = `
Flows: order-notification, failure, expiry, opt-in, opt-out, unsubscription, bounce, conversation, campaign. Each runs in a sandbox
of the command's own, on a clock that stands; its events reach your handler once more, late, in another order, twice at once,
after lost answers, restarts and rotations, in unusual JSON and forged. Then the truth probe has to tell what really happened.
A schedule that fails is shrunk to the smallest one, told as a story, and repeated by its seed. Exits with 7 then. A scenario file
happens to the same people each time: say with --reset how your application forgets them.

Examples:
  $ sandbox explore --handler 3000/hook --truth http://localhost:3000/truth
  $ sandbox explore --handler 3000/hook --truth 3000/truth --start "node server.js" --schedules 500
  $ sandbox explore --handler 3000/hook --truth "sqlite3 -json app.db 'SELECT …'" --flows opt-out --seed sandbox.opt-out.2`
