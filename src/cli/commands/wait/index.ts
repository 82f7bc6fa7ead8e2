import type { Command } from 'commander'
import { Refusal } from '../../../client/call.ts'
import { Unreachable } from '../../../http/exchange.ts'
import { poll } from '../../../waiting/until.ts'
import { AGENT_STATUSES, CAMPAIGN_STATUSES, SENT_MESSAGE_STATUSES } from '../../../words/statuses.ts'
import { printable } from '../../output/printable.ts'
import { timedOut } from '../../process/exit.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { durationOption } from '../../target/globals.ts'
import { type StateFlags, waitForState } from './state.ts'

interface WaitFlags extends StateFlags {
  timeout: number
}

export function add(program: Command, run: Run) {
  const command = program
    .command('wait')
    .description('Wait for a sandbox, or for the status of a record')
    .option('--message <id>', 'message to wait for; "last" is the message that was sent last')
    .option('--campaign <id>', 'campaign to wait for')
    .option('--agent <id>', 'agent to wait for')
    .option('--status <status>', 'status to wait for: delivered, COMPLETED, APPROVED …')
    .addOption(durationOption('--within <duration>', 'time to wait; with an auto clock, machine time', '30s'))
    .addOption(durationOption('--timeout <duration>', 'time to wait for a sandbox; 0 means no limit', '30s'))
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    {
      ...{ group: 'testing', effect: 'reads', needs: 'service', exits: ['expectation', 'timedOut'] },
      hasOwnRetries: (options) => !isForState(options),
    },
    (session, _, options: WaitFlags) => (isForState(options) ? waitForState(session, options) : wait(session, options)),
  )
}

const NOTES = `
A message can be: ${SENT_MESSAGE_STATUSES.join(', ')}. A campaign: ${CAMPAIGN_STATUSES.join(', ')}. An agent: ${AGENT_STATUSES.join(', ')}.
"sandbox expect" waits for an event instead.

Exit codes: 8 when the time is up, 7 when the record cannot reach the status any more.

Examples:
  $ sandbox start & sandbox wait --timeout 10s
  $ sandbox wait --message last --status delivered --within 1m`

const LOOK_EVERY_MS = 50

const isForState = (options: WaitFlags | Record<string, unknown>) =>
  (['message', 'campaign', 'agent', 'status'] as const).some((name) => options[name] !== undefined)

async function wait(session: Session, { timeout: timeoutMs }: WaitFlags): Promise<undefined> {
  const { io, output } = session
  const first = session.endpoint.baseUrl
  const stopSpinner = output.isForPeople ? await io.spin(`waiting for ${printable(first)}`) : () => {}
  const health = await poll({ everyMs: LOOK_EVERY_MS, timeoutMs, signal: io.signal }, () => {
    // The address of a sandbox that is starting in this folder is not known yet.
    if (session.endpoint.choice.isGuess) session.chooseAgain()
    return healthOf({ endpoint: { ...session.endpoint, timeoutMs }, io })
  }).finally(stopSpinner)
  const { baseUrl } = session.endpoint
  if (health === undefined)
    throw timedOut(`No sandbox answered at ${baseUrl} within ${timeoutMs / 1000} s.`, 'Start it with: sandbox start')
  output.data(health, (paint) => `${paint.green('✓')} ${baseUrl} is ready`)
}

async function healthOf(session: Pick<Session, 'endpoint' | 'io'>): Promise<object | undefined> {
  try {
    return await callOperation(session, 'world.health')
  } catch (error) {
    const isStopping = error instanceof Refusal && error.status >= 500
    if (isStopping || (error instanceof Unreachable && !session.io.signal.aborted)) return undefined
    throw error
  }
}
