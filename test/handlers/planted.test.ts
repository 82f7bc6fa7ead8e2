import { afterAll, describe, expect, test } from 'vitest'
import {
  FIXED,
  failedChecks,
  fixedVersionOf,
  frameworks,
  PLANTED,
  type Shops,
  startShops,
} from '../../scripts/bench/handlers.ts'
import { explore } from '../../src/handlers/explore/explore.ts'

type Evidence = { check: string } | { code: string; seed: string; disturbances?: number }

/** What finds each planted bug first with the seed `s`; `npm run bench -- handlers` searches for it. */
const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'repeats-unnoticed': { code: 'belief-differs', seed: 's.opt-out.89' },
  'order-assumed': { code: 'belief-differs', seed: 's.opened-and-clicked.0' },
  'answered-before-written': { code: 'belief-differs', seed: 's.opt-out.95' },
  'pieces-as-text': { check: 'unicode-in-pieces' },
  'opt-out-ignored': { code: 'promotion-after-revocation', seed: 's.opt-out.0' },
  'retry-storm': { code: 'sent-twice', seed: 's.reply-then-stop.0' },
  'stop-unrecorded': { code: 'stop-not-recorded', seed: 's.opt-out.0' },
  'parsed-before-verified': { code: 'never-accepted', seed: 's.order-notification.17' },
  'unknown-refused': { code: 'never-accepted', seed: 's.order-notification.50' },
  unsigned: { code: 'forgery-accepted', seed: 's.order-notification.11' },
  'session-shortened': { code: 'belief-differs', seed: 's.reply-then-stop.92' },
  'terminal-overwritten': { code: 'belief-differs', seed: 's.opened-and-clicked.0' },
  'resent-without-key': { code: 'no-idempotency-key', seed: 's.expiry.0' },
  'strict-schema': { code: 'never-accepted', seed: 's.order-notification.19' },
  'deduped-by-message': { code: 'belief-differs', seed: 's.order-notification.0' },
  'marked-before-work': { code: 'belief-differs', seed: 's.opt-out.0' },
  'secret-cached': { code: 'forgery-accepted', seed: 's.order-notification.20' },
  'one-stop': { code: 'belief-differs', seed: 's.opt-out.0' },
  'looked-up-too-early': { code: 'belief-differs', seed: 's.opt-out.90' },
  'truncated-accepted': { check: 'signature-truncated' },
  'pending-taken-for-granted': { code: 'belief-differs', seed: 's.opt-in-pending.0' },
  'soft-taken-for-hard': { code: 'belief-differs', seed: 's.soft-bounce.0' },
  'ascii-only': { code: 'never-accepted', seed: 's.conversation.0' },
  'counted-by-attempt': { code: 'belief-differs', seed: 's.order-notification.63' },
  'unsubscription-ignored': { code: 'belief-differs', seed: 's.unsubscription.0' },
  'ids-per-instance': { code: 'belief-differs', seed: 's.open-conversation.95' },
  'stale-cache': { code: 'belief-differs', seed: 's.opened-and-clicked.79' },
  'secret-of-one-instance': { code: 'forgery-accepted', seed: 's.order-notification.20' },
  'latin1-body': { code: 'belief-differs', seed: 's.conversation.0' },
  'works-after-answer': { code: 'belief-differs', seed: 's.bounce.0' },
  'closed-enum': { code: 'never-accepted', seed: 's.failure.53' },
  'complaint-ignored': { code: 'belief-differs', seed: 's.complaint.0' },
  'deletion-ignored': { code: 'belief-differs', seed: 's.deleted-contact.0' },
  'read-then-written': { code: 'belief-differs', seed: 's.open-conversation.97' },
  'consent-without-kind': { code: 'belief-differs', seed: 's.consent-records.0' },
  'ordered-by-day': { code: 'belief-differs', seed: 's.consent-renewed.35' },
  'missing-signature-accepted': { check: 'signature-missing' },
  'unknown-fields-refused': { code: 'never-accepted', seed: 's.order-notification.19' },
  'tap-refused': { code: 'never-accepted', seed: 's.tap.0' },
  'paused-is-completed': { code: 'belief-differs', seed: 's.campaign-on-hold.0' },
  'older-end-wins': { code: 'belief-differs', seed: 's.reopened-session.111' },
  'stop-as-prefix': { code: 'belief-differs', seed: 's.no-stop.0' },
  'where-forgotten': { code: 'belief-differs', seed: 's.two-people.0' },
  'ids-in-memory': { code: 'belief-differs', seed: 's.open-conversation.318', disturbances: 2 },
  'torn-state': { code: 'handler-not-restarted', seed: 's.open-conversation.123' },
  'blocked-by-unknown': { code: 'belief-differs', seed: 's.open-conversation.119' },
  'dies-of-a-reason': { code: 'handler-died', seed: 's.failure.65' },
  'window-of-ids': { code: 'belief-differs', seed: 's.open-conversation.135', disturbances: 7 },
  'stale-lock': { code: 'handler-not-restarted', seed: 's.open-conversation.122' },
  'id-stored-first': { code: 'belief-differs', seed: 's.open-conversation.123' },
}

test('every planted bug has its evidence', () => {
  const planted = frameworks.flatMap((framework) => PLANTED[framework])
  expect(planted.toSorted()).toEqual(Object.keys(EVIDENCE).toSorted())
  expect(planted.length).toBeGreaterThanOrEqual(48)
})

/** What the explorer, or a check, says of an application with a bug and of the fixed one. */
async function hunt(shops: Shops, bug: string) {
  const evidence = EVIDENCE[bug]!
  const [wrong, fixed] = [shops.application(bug), shops.application(fixedVersionOf(bug))]
  if ('check' in evidence) {
    const names = [evidence.check]
    return { checks: [await failedChecks(wrong, names), await failedChecks(fixed, names)] }
  }
  const { failure } = await explore({ ...wrong, seed: evidence.seed })
  if (!failure) return {}
  const { schedule } = failure
  const again = (await explore({ ...wrong, schedule })).failure
  return { failure, again, afterFix: (await explore({ ...fixed, schedule })).failure }
}

/** The hunts of a framework take turns, because its applications send to one port; frameworks hunt side by side. */
const hunts = new Map(
  frameworks.map((framework) => {
    const shops = startShops(framework)
    let last: Promise<unknown> = shops
    const inTurn = <T>(work: (shops: Shops) => Promise<T>): Promise<T | undefined> => {
      const next = last.then(async () => {
        const started = await shops
        return started && work(started)
      })
      last = next.catch(() => {})
      return next
    }
    const results = new Map(PLANTED[framework].map((bug) => [bug as string, inTurn((of) => hunt(of, bug))]))
    const fixed = inTurn(async (of) => ({
      failure: (await explore({ ...of.application(FIXED), schedules: 40 })).failure,
      checks: await failedChecks(of.application(FIXED)),
    }))
    return [framework, { shops, results, fixed }] as const
  }),
)

describe.each(frameworks)('on %s', (framework) => {
  const { shops, results, fixed } = hunts.get(framework)!
  afterAll(async () => (await shops)?.stop())

  test.for(PLANTED[framework])(
    '%s is found by its seed and again by its smallest schedule, and the fixed version passes',
    async (bug, { skip }) => {
      const result = await results.get(bug)!
      if (!result) return skip(`${framework} is not installed`)
      const evidence = EVIDENCE[bug]!
      if ('check' in evidence) return expect(result.checks).toEqual([[evidence.check], []])
      expect(result.failure?.findings.map((finding) => finding.code)).toContain(evidence.code)
      expect(result.failure!.schedule.perturbations.length).toBeLessThanOrEqual(evidence.disturbances ?? 1)
      expect(result.again?.findings.map((finding) => finding.code)).toContain(evidence.code)
      // A kill meets another instant each time, so a delivery may be answered or not.
      const isKill = result.failure!.schedule.perturbations.some(({ kind }) => kind === 'kill')
      // A search knows, unlike one schedule, that every later one failed as well.
      const story = result.failure!.story.replace(/\n.*Every later schedule fails.*/, '')
      if (!isKill) expect(result.again!.story).toBe(story)
      expect(result.afterFix?.story).toBeUndefined()
    },
  )

  test('the fixed application passes schedules and checks', async ({ skip }) => {
    const result = await fixed
    if (!result) return skip(`${framework} is not installed`)
    expect(result.failure?.story).toBeUndefined()
    expect(result.checks).toEqual([])
  })
})
