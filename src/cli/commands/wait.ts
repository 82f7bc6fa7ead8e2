import type { Command } from 'commander'
import { Refusal } from '../../client/call.ts'
import { poll } from '../../client/poll.ts'
import { Unreachable } from '../../http/exchange.ts'
import { printable } from '../output/printable.ts'
import { timedOut } from '../process/exit.ts'
import { callOperation } from '../session/call-operation.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { durationOption } from '../target/globals.ts'
import { type StateFlags, waitForState } from './wait/state.ts'

const LOOK_EVERY_MS = 50

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

interface WaitFlags extends StateFlags {
  timeout: number
}

const STATE = ['message', 'campaign', 'agent', 'status'] as const

async function wait({ io, output, endpoint }: Session, { timeout: timeoutMs }: WaitFlags): Promise<undefined> {
  const stopSpinner = output.isForPeople ? await io.spin(`waiting for ${printable(endpoint.baseUrl)}`) : () => {}
  const health = await poll({ everyMs: LOOK_EVERY_MS, timeoutMs, signal: io.signal }, () =>
    healthOf({ endpoint: { ...endpoint, timeoutMs }, io }),
  ).finally(stopSpinner)
  if (health === undefined)
    throw timedOut(
      `No emulator answered at ${endpoint.baseUrl} within ${timeoutMs / 1000} s.`,
      'Start it with: sandbox start',
    )
  output.data(health, (paint) => `${paint.green('✓')} ${endpoint.baseUrl} is ready`)
}

async function healthOf(asked: Pick<Session, 'endpoint' | 'io'>): Promise<object | undefined> {
  try {
    return await callOperation(asked, 'world.health')
  } catch (error) {
    const isStopping = error instanceof Refusal && error.status >= 500
    if (isStopping || (error instanceof Unreachable && !asked.io.signal.aborted)) return undefined
    throw error
  }
}
