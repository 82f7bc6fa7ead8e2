import type { Command } from 'commander'
import { AGENT_STATUSES, CAMPAIGN_STATUSES, SENT_MESSAGE_STATUSES } from '../../../words/statuses.ts'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { durationOption } from '../../target/globals.ts'
import { STATE, type WaitFlags, wait } from './run.ts'
import { waitForState } from './state.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('wait')
    .description('Wait for a sandbox, or for the status of a record')
    .option('--message <id>', 'message to wait for; "last" is the last one accepted')
    .option('--campaign <id>', 'campaign to wait for')
    .option('--agent <id>', 'agent to wait for')
    .option('--status <status>', 'status to wait for: delivered, COMPLETED, APPROVED …')
    .addOption(durationOption('--within <duration>', "time to wait for a status, on the world's clock", '30s'))
    .addOption(durationOption('--timeout <duration>', 'time to wait for a sandbox; 0 means no limit', '30s'))
    .addHelpText('after', NOTES)
  setFacts(command, { group: 'testing', effect: 'reads', needs: 'service', exits: ['expectation', 'timedOut'] })
  setAction(
    command,
    run,
    (session, _, options: WaitFlags) =>
      STATE.some((name) => options[name] !== undefined) ? waitForState(session, options) : wait(session, options),
    { hasOwnRetries: true },
  )
}

const NOTES = `
A message can be: ${SENT_MESSAGE_STATUSES.join(', ')}. A campaign: ${CAMPAIGN_STATUSES.join(', ')}. An agent: ${AGENT_STATUSES.join(', ')}.
"sandbox expect" waits for an event instead.

Exit codes: 8 when the time is up, 7 when the record cannot reach the status any more.

Examples:
  $ sandbox start & sandbox wait --timeout 10s
  $ sandbox wait --message last --status delivered --within 1m`
