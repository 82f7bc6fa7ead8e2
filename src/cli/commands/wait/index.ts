import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { durationOption } from '../../target/globals.ts'
import { STATE, type WaitFlags, wait } from './run.ts'
import { waitForState } from './state.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('wait')
    .description('Wait until the emulator answers, or until a message, campaign or agent has a status')
    .option('--message <id>', 'this message; "last" is the one sent last')
    .option('--campaign <id>', 'this campaign')
    .option('--agent <id>', 'this agent')
    .option('--status <status>', 'the status to wait for: delivered, COMPLETED, APPROVED …')
    .addOption(durationOption('--within <duration>', "how long to wait for a status, on the sandbox's clock", '30s'))
    .addOption(durationOption('--timeout <duration>', 'how long to wait; 0 waits without end', '30s'))
    .addHelpText(
      'after',
      '\nExits with 8 when the time was up, with 7 when the status cannot come any more.\n\nExamples:\n  $ sandbox start & sandbox wait --timeout 10s\n  $ sandbox wait --message last --status delivered --within 1m',
    )
  setAction(
    command,
    run,
    (session, _, options: WaitFlags) =>
      STATE.some((name) => options[name] !== undefined) ? waitForState(session, options) : wait(session, options),
    { hasOwnRetries: true },
  )
}
