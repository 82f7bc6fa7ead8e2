import type { Command } from 'commander'
import { namesOf } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { handlerUrlOf } from '../../target/handler.ts'
import { addHandlerOptions, HANDLER_FACTS } from './options.ts'
import type { VerifyFlags } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('verify-handler')
    .description('Check your webhook handler: signatures, repeats, large bodies')
    .requiredOption('--url <url>', 'webhook handler: a URL, host:port/path or port/path', handlerUrlOf)
    .option('--secret <secret>', "signing secret (env: SANDBOX_WEBHOOK_SECRET; default: the sandbox's own)")
    .option('--old-secret <secret>', 'secret before the last rotation (env: SANDBOX_WEBHOOK_OLD_SECRET)')
    .option('--only <checks>', 'checks or groups to run (repeatable, or a,b)', namesOf)
    .option('--skip <checks>', 'checks or groups to leave out (repeatable, or a,b)', namesOf)
    .option('--details', 'include passed and skipped checks in the output')
    .option('--junit <file>', 'write a JUnit report for CI')
    .option('--sarif <file>', 'write a SARIF report for code scanning')
    .addHelpText('after', AFTER)
  addHandlerOptions(command)
  setAction(
    command,
    run,
    HANDLER_FACTS,
    // Loaded on call only: the event catalogue brings schemas.
    async (session, _, options: VerifyFlags) => (await import('./run.ts')).verify(session, options),
  )
}

const AFTER = `
Events are posted as the service posts them: signed, with the bytes unchanged. The handler cannot tell them from real events, so use one
that works on test data. Groups: events, signature, answers, tolerance, load. Exits with 7 when a check fails, and with 6 when
nothing listens. Each check with its fix: docs/handlers.md.

Examples:
  $ sandbox verify-handler --url http://localhost:3000/hook
  $ sandbox verify-handler --url 3000/hook --only signature,unknown-event --details
  $ SANDBOX_WEBHOOK_SECRET=whsec_… sandbox verify-handler --url 3000/hook --junit report.xml`
