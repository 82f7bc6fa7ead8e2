import type { Sandbox } from '../library/sandbox.ts'
import type { EventName } from '../service/events/catalogue.ts'
import { at, callSite, reasonOf } from './awaited.ts'
import { type LintOptions, lintVerdict } from './linted.ts'
import type { EventPattern } from './pattern.ts'
import { clientOf, receivedVerdict } from './received.ts'
import { signedVerdict } from './signed.ts'
import { deliveredVerdict, type SubjectStatus, statusVerdict } from './status.ts'
import { testOf, type UnderWay } from './suite.ts'
import type { MatcherContext, Verdict } from './verdict.ts'

/** Matchers that runners' `expect()` gets. */
export interface SandboxMatchers {
  /**
   * For a receiver: it has accepted such an event, with these fields in its `data`. For a lease: such an event of its
   * address has happened. Waits for work that is due now, and on a running clock for up to 30 s: `await
   * expect(receiver).toHaveReceived('message.delivered', { message_id })`.
   */
  toHaveReceived<Name extends EventName>(event: Name, pattern?: EventPattern<Name>): Promise<void>
  /** For a message or its id: it was delivered. It is looked up in the sandbox of this test unless another is given. */
  toHaveBeenDelivered(sandbox?: Sandbox): Promise<void>
  /** For a message, agent or contact, or its id: it has this status. */
  toHaveStatus(status: SubjectStatus, sandbox?: Sandbox): Promise<void>
  /** For a delivery, `{ rawBody, headers }`: its bytes were signed with this secret. */
  toBeSignedWith(secret: string): void
  /**
   * For a message, its id, or the content of one: phones and mail clients show it as it was meant. Warnings count too:
   * `await expect(message).toPassLint({ ignore: ['email/dark-mode'] })`.
   */
  toPassLint(options?: LintOptions, sandbox?: Sandbox): Promise<void>
}

/** The matchers as `expect.extend()` of every runner takes them. */
export const matchers = {
  toHaveReceived(this: MatcherContext, subject: unknown, event: string, pattern?: EventPattern) {
    return checked('toHaveReceived', subject, this, receivedVerdict(subject, event, pattern, this))
  },
  toHaveBeenDelivered(this: MatcherContext, message: unknown, sandbox?: Sandbox) {
    return checked('toHaveBeenDelivered', sandbox, this, deliveredVerdict(message, sandbox, this))
  },
  toHaveStatus(this: MatcherContext, subject: unknown, status: string, sandbox?: Sandbox) {
    return checked('toHaveStatus', sandbox, this, statusVerdict(subject, status, sandbox, this))
  },
  toPassLint(this: MatcherContext, message: unknown, options?: LintOptions, sandbox?: Sandbox) {
    return checked('toPassLint', sandbox, this, lintVerdict(message, options, sandbox))
  },
  toBeSignedWith(this: MatcherContext, delivery: unknown, secret: string) {
    return signedVerdict(delivery, secret)
  },
}

/** The number of promises that the runner's `expect` chains to that of a matcher; the last one goes to the test. */
let chainedByRunner = 0

/** Adds the matchers to the `expect` of a runner, whose promises are then followed to the test. */
export function addMatchers(expect: Expect) {
  let chained = 0
  // It has passed already, because Bun waits for it, and calls nothing back, so that Jest counts no assertion.
  const counted = (): Promise<Verdict> =>
    chainable(Promise.resolve({ pass: true, message: () => '' }), () => {
      chained += 1
      return counted()
    })
  expect.extend({ toHaveStatus: counted })
  expect(undefined).toHaveStatus()
  chainedByRunner = chained
  expect.extend(matchers)
}

interface Expect {
  // biome-ignore lint/suspicious/noExplicitAny: runners have types of their own
  (subject: unknown): any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  extend(matchers: any): unknown
}

type Then = Parameters<Promise<unknown>['then']>

/** Replaces the method with which a runner chains a promise to this one. An `await` does not call it. */
const chainable = <T>(promise: Promise<T>, then: (...callbacks: Then) => Promise<unknown>): Promise<T> =>
  // biome-ignore lint/suspicious/noThenProperty: runners call this method
  Object.assign(promise, { then: then as Promise<T>['then'] })

/** Follows a check to the end of its test. One that ends later was not awaited, and its test has failed for that. */
function checked(
  name: string,
  subject: unknown,
  { isNot = false }: MatcherContext,
  check: Promise<Verdict>,
): Promise<Verdict> {
  const calledAt = callSite()
  const why = () =>
    reasonOf(check.then((verdict) => verdict.pass === isNot && Promise.reject(new Error(verdict.message()))))
  const calls = testOfCheck(subject)?.calls
  const started = calls?.until(`${name}()`, check, calledAt, why)
  const silent: Verdict = { pass: !isNot, message: () => '' }
  const judged = check.then(
    (verdict) => (started?.isAbandoned ? silent : verdict),
    (error: unknown) => {
      if (started?.isAbandoned) return silent
      throw at(calledAt(), error)
    },
  )
  if (!calls || !started || chainedByRunner === 0) return judged
  const handedOn = <T>(promise: Promise<T>, left: number): Promise<T> =>
    left === 0
      ? calls.handedOut(started, promise)
      : chainable(promise, (...callbacks) => handedOn(Promise.prototype.then.apply(promise, callbacks), left - 1))
  return handedOn(judged, chainedByRunner)
}

/** The test of a check: the one whose world it is about, or the only one in progress. */
export const testOfCheck = (subject: unknown): UnderWay | undefined =>
  testOf(clientOf(subject) ?? (subject as Partial<Sandbox> | undefined)?.observer)
