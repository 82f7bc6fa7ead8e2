import type { Sandbox } from '../library/sandbox.ts'
import type { EventName } from '../service/events/catalogue.ts'
import type { EventPattern } from './pattern.ts'
import { receivedVerdict } from './received.ts'
import { signedVerdict } from './signed.ts'
import { deliveredVerdict, statusVerdict } from './status.ts'
import type { MatcherContext } from './verdict.ts'

/** Matchers that runners' `expect()` gets. */
export interface SandboxMatchers {
  /**
   * For a receiver: it has accepted such an event, with these fields in its `data`. Waits for work that is due now, and
   * on a running clock for up to 30 s: `await expect(receiver).toHaveReceived('message.delivered', { message_id })`.
   */
  toHaveReceived<Name extends EventName>(event: Name, pattern?: EventPattern<Name>): Promise<void>
  /** For a message or its id: it was delivered. It is looked up in the sandbox of this test unless another is given. */
  toHaveBeenDelivered(sandbox?: Sandbox): Promise<void>
  /** For a message, agent or contact, or its id: it has this status. */
  toHaveStatus(status: string, sandbox?: Sandbox): Promise<void>
  /** For a delivery, `{ rawBody, headers }`: its bytes were signed with this secret. */
  toBeSignedWith(secret: string): void
}

/** The matchers as `expect.extend()` of every runner takes them. */
export const matchers = {
  toHaveReceived(this: MatcherContext, receiver: unknown, event: string, pattern?: EventPattern) {
    return receivedVerdict(receiver, event, pattern, this)
  },
  toHaveBeenDelivered(this: MatcherContext, message: unknown, sandbox?: Sandbox) {
    return deliveredVerdict(message, sandbox, this)
  },
  toHaveStatus(this: MatcherContext, subject: unknown, status: string, sandbox?: Sandbox) {
    return statusVerdict(subject, status, sandbox, this)
  },
  toBeSignedWith(this: MatcherContext, delivery: unknown, secret: string) {
    return signedVerdict(delivery, secret)
  },
}
