import { AssertionError } from 'node:assert'
import { after, type TestContext } from 'node:test'
import type { Receiver } from '../library/receiver.ts'
import type { Sandbox } from '../library/sandbox.ts'
import type { EventName } from '../service/events/catalogue.ts'
import type { EventPattern } from './pattern.ts'
import { receivedVerdict } from './received.ts'
import { signedVerdict } from './signed.ts'
import { deliveredVerdict, statusVerdict } from './status.ts'
import type { Verdict } from './verdict.ts'
import { bodies } from './with-sandbox.ts'

export type { EventPattern } from './pattern.ts'
export type { Fixtures, SuiteOptions } from './suite.ts'

const { withSandbox, abandon, stop } = bodies(([context]) => {
  const { fullName, name, filePath, signal } = (context ?? {}) as Partial<TestContext>
  const title = fullName ?? name ?? 'test'
  // Aborts at the test's time limit, and after each test, when its world is deleted.
  signal?.addEventListener('abort', () => void tell(abandon(title)))
  return { title, file: filePath }
})

async function tell(told: Promise<string | undefined>) {
  const said = await told
  if (said !== undefined) process.stderr.write(`${said}\n`)
}

after(stop)

/**
 * Gives a test a sandbox of its own: `test('…', withSandbox(async ({ sandbox, receiver }, t) => { … }))`. All tests of a file share
 * an emulator, in memory and on a frozen clock unless options before the body say otherwise.
 */
export { withSandbox }

/**
 * The receiver has taken such an event, with these fields in its `data`. What is due now is waited for, and on a clock that runs
 * what is due within 30 s.
 */
export async function assertReceived<Name extends EventName>(
  receiver: Receiver,
  event: Name,
  pattern?: EventPattern<Name>,
): Promise<void> {
  hold(await receivedVerdict(receiver, event, pattern, {}), 'assertReceived')
}

/** The receiver has taken no such event, and what is due now does not bring one. */
export async function assertNotReceived<Name extends EventName>(
  receiver: Receiver,
  event: Name,
  pattern?: EventPattern<Name>,
): Promise<void> {
  const { pass, message } = await receivedVerdict(receiver, event, pattern, { isNot: true })
  hold({ pass: !pass, message }, 'assertNotReceived')
}

/** The message, or that of the id, has arrived. It is looked up in the sandbox of this test, unless another is given. */
export async function assertDelivered(message: unknown, sandbox?: Sandbox): Promise<void> {
  hold(await deliveredVerdict(message, sandbox, {}), 'assertDelivered')
}

/** The message, agent or contact, or that of the id, is in this status. */
export async function assertStatus(subject: unknown, status: string, sandbox?: Sandbox): Promise<void> {
  hold(await statusVerdict(subject, status, sandbox, {}), 'assertStatus')
}

/** The bytes of a delivery, `{ rawBody, headers }`, were signed with this secret. */
export function assertSignedWith(delivery: unknown, secret: string): void {
  hold(signedVerdict(delivery, secret), 'assertSignedWith')
}

function hold({ pass, message }: Verdict, operator: string) {
  if (!pass) throw new AssertionError({ message: message(), operator })
}
