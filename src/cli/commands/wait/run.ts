import { Refusal } from '../../../client/call.ts'
import { Unreachable } from '../../../http/exchange.ts'
import { poll } from '../../../waiting/until.ts'
import { printable } from '../../output/printable.ts'
import { timedOut } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import type { StateFlags } from './state.ts'

const LOOK_EVERY_MS = 50

export interface WaitFlags extends StateFlags {
  timeout: number
}

export const STATE = ['message', 'campaign', 'agent', 'status'] as const

export async function wait({ io, output, endpoint }: Session, { timeout: timeoutMs }: WaitFlags): Promise<undefined> {
  const stopSpinner = output.isForPeople ? await io.spin(`waiting for ${printable(endpoint.baseUrl)}`) : () => {}
  const health = await poll({ everyMs: LOOK_EVERY_MS, timeoutMs, signal: io.signal }, () =>
    healthOf({ endpoint: { ...endpoint, timeoutMs }, io }),
  ).finally(stopSpinner)
  if (health === undefined)
    throw timedOut(
      `No sandbox answered at ${endpoint.baseUrl} within ${timeoutMs / 1000} s.`,
      'Start it with: sandbox start',
    )
  output.data(health, (paint) => `${paint.green('✓')} ${endpoint.baseUrl} is ready`)
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
