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

/** Follows a check to the end of its test. One that ends later was not awaited, and its test has failed for that. */
async function checked(
  name: string,
  subject: unknown,
  { isNot = false }: MatcherContext,
  check: Promise<Verdict>,
): Promise<Verdict> {
  const calledAt = callSite()
  const why = () =>
    reasonOf(check.then((verdict) => verdict.pass === isNot && Promise.reject(new Error(verdict.message()))))
  const started = testOfCheck(subject)?.calls.until(`${name}()`, check, calledAt, why)
  const silent: Verdict = { pass: !isNot, message: () => '' }
  try {
    const verdict = await check
    return started?.isAbandoned ? silent : verdict
  } catch (error) {
    if (started?.isAbandoned) return silent
    throw at(calledAt(), error)
  }
}

/** The test of a check: the one whose world it is about, or the only one in progress. */
export const testOfCheck = (subject: unknown): UnderWay | undefined =>
  testOf(clientOf(subject) ?? (subject as Partial<Sandbox> | undefined)?.observer)
