import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  failedChecks,
  frameworks,
  MENDED,
  mendedOf,
  PLANTED,
  type Shops,
  startShops,
} from '../../scripts/bench/handlers.ts'
import { explore } from '../../src/handlers/explore/explore.ts'

type Evidence = { check: string } | { code: string; seed: string }

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
}

test('every planted bug has its evidence', () => {
  const planted = frameworks.flatMap((framework) => PLANTED[framework])
  expect(planted.toSorted()).toEqual(Object.keys(EVIDENCE).toSorted())
})

describe.each(frameworks)('on %s', (framework) => {
  let shops: Shops
  beforeAll(async () => {
    shops = await startShops(framework)
  })
  afterAll(() => shops.stop())

  test.each(PLANTED[framework])(
    '%s is found by its seed and again by its smallest schedule, and the fixed version passes',
    async (bug) => {
      const evidence = EVIDENCE[bug]!
      const [wrong, mended] = [shops.application(bug), shops.application(mendedOf(bug))]
      if ('check' in evidence) {
        expect(await failedChecks(wrong, [evidence.check])).toEqual([evidence.check])
        expect(await failedChecks(mended, [evidence.check])).toEqual([])
        return
      }
      const { code, seed } = evidence
      const { failure } = await explore({ ...wrong, seed })
      expect(failure?.findings.map((finding) => finding.code)).toContain(code)
      expect(failure!.schedule.perturbations.length).toBeLessThanOrEqual(1)
      const { schedule } = failure!
      expect((await explore({ ...wrong, schedule })).failure!.story).toBe(failure!.story)
      expect((await explore({ ...mended, schedule })).failure?.story).toBeUndefined()
    },
  )

  test('the mended application passes schedules and checks', async () => {
    expect((await explore({ ...shops.application(MENDED), schedules: 40 })).failure?.story).toBeUndefined()
    expect(await failedChecks(shops.application(MENDED))).toEqual([])
  })
})
