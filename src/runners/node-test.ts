import { AssertionError } from 'node:assert'
import type { TestContext } from 'node:test'
import type { Test } from '../evidence/place.ts'
import type { Lease } from '../library/lease.ts'
import type { Receiver } from '../library/receiver.ts'
import type { Sandbox } from '../library/sandbox.ts'
import type { EventName } from '../service/events/catalogue.ts'
import { at, callSite, reasonOf } from './awaited.ts'
import { remark } from './failure.ts'
import { type LintOptions, lintVerdict } from './linted.ts'
import { testOfCheck } from './matchers.ts'
import type { EventPattern } from './pattern.ts'
import { receivedVerdict } from './received.ts'
import { signedVerdict } from './signed.ts'
import { deliveredVerdict, type SubjectStatus, statusVerdict } from './status.ts'
import type { Verdict } from './verdict.ts'
import { bodies, type RunningTest } from './with-sandbox.ts'

export type { EventPattern } from './pattern.ts'
export type { Fixtures, LeaseFixtures, SuiteOptions } from './suite.ts'

// The emulator ends with its process. A hook of node:test that stops it would start that runner in the process of any other,
// where it ends the process at an error that the other one reports.
const { withSandbox, abandon } = bodies(testOf)

function testOf([context]: unknown[], runner: unknown): RunningTest {
  const { test: mochaTest } = (runner ?? {}) as { test?: MochaTest }
  if (mochaTest && 'fullTitle' in mochaTest) return ofMocha(mochaTest)
  const { fullName, name, filePath, signal } = (context ?? {}) as Partial<TestContext>
  const test: Test = { title: fullName ?? name, file: filePath }
  // Aborts at the test's time limit, and after each test, when its world is deleted.
  signal?.addEventListener('abort', () => void report(abandon(test)))
  // Tests of one title may run at once.
  return { key: test, test }
}

/** The `test` of Mocha's context, which is `this` in a body. That of node:test's context starts a subtest. */
interface MochaTest {
  fullTitle(): string
  file?: string
  parent?: MochaSuite
  err?: unknown
}

interface MochaSuite {
  parent?: MochaSuite
  afterEach(hook: (this: { currentTest?: MochaTest; timeout(ms: number): unknown }) => Promise<void>): unknown
}

/** The root suites of Mocha that end aborted tests; in watch mode each run has one. */
const hooked = new WeakSet<MochaSuite>()

function ofMocha(test: MochaTest): RunningTest {
  let root = test.parent
  while (root?.parent) root = root.parent
  if (root && !hooked.has(root)) {
    hooked.add(root)
    root.afterEach(async function () {
      // The end of a world has a time limit of its own, and a hook that exceeds its own ends the run.
      this.timeout(0)
      const sentence = this.currentTest && (await abandon(this.currentTest))
      if (sentence !== undefined) remark(this.currentTest?.err, sentence)
    })
  }
  return { key: test, test: { title: test.fullTitle(), file: test.file } }
}

async function report(abandoned: Promise<string | undefined>) {
  const sentence = await abandoned
  if (sentence !== undefined) remark(undefined, sentence)
}

/**
 * Gives a test a sandbox of its own: `test('…', withSandbox(async ({ sandbox, receiver }, t) => { … }))`. All tests of a file share
 * an emulator, in memory and on a frozen clock unless options before the body say otherwise.
 */
export { withSandbox }

/**
 * The receiver has accepted such an event, with these fields in its `data`; of a lease: such an event of its address has
 * happened. Waits for work that is due now, and on a running clock for up to 30 s.
 */
export const assertReceived = <Name extends EventName>(
  subject: Receiver | Lease,
  event: Name,
  pattern?: EventPattern<Name>,
): Promise<void> => held('assertReceived', subject, receivedVerdict(subject, event, pattern, {}, 'assertReceived'))

/** The receiver has accepted no such event, and what is due now does not bring one. */
export const assertNotReceived = <Name extends EventName>(
  subject: Receiver | Lease,
  event: Name,
  pattern?: EventPattern<Name>,
): Promise<void> => {
  const verdict = receivedVerdict(subject, event, pattern, { isNot: true }, 'assertNotReceived')
  return held('assertNotReceived', subject, verdict.then(negated))
}

const negated = ({ pass, message }: Verdict): Verdict => ({ pass: !pass, message })

/** The message, or that of the id, was delivered. It is looked up in the sandbox of this test unless another is given. */
export const assertDelivered = (message: unknown, sandbox?: Sandbox): Promise<void> =>
  held('assertDelivered', sandbox, deliveredVerdict(message, sandbox, {}, 'assertDelivered'))

/** The message, agent or contact, or that of the id, has this status. */
export const assertStatus = (subject: unknown, status: SubjectStatus, sandbox?: Sandbox): Promise<void> =>
  held('assertStatus', sandbox, statusVerdict(subject, status, sandbox, {}, 'assertStatus'))

/** Phones and mail clients show the message (also by its id) or the content as intended. */
export const assertLint = (message: unknown, options?: LintOptions, sandbox?: Sandbox): Promise<void> =>
  held('assertLint', sandbox, lintVerdict(message, options, sandbox, 'assertLint'))

/** The bytes of a delivery, `{ rawBody, headers }`, were signed with this secret. */
export function assertSignedWith(delivery: unknown, secret: string): void {
  hold(signedVerdict(delivery, secret), 'assertSignedWith')
}

/** Fails with the verdict at the line of the call, and detects a missing await. */
function held(name: string, subject: unknown, verdict: Promise<Verdict>): Promise<void> {
  const calledAt = callSite()
  const judged = verdict.then(
    (it) => hold(it, name, calledAt()),
    (error: unknown) => {
      throw at(calledAt(), error)
    },
  )
  return testOfCheck(subject)?.calls.followed(`${name}()`, judged, calledAt, () => reasonOf(judged)) ?? judged
}

function hold({ pass, message }: Verdict, operator: string, calledAt = '') {
  if (pass) return
  const error = new AssertionError({ message: message(), operator })
  throw at(calledAt, error)
}
