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

const believed = (seed: string): Evidence => ({ code: 'belief-differs', seed })

/** What finds each planted bug first; `npm run bench -- handlers` searches for it anew. */
const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'repeats-unnoticed': believed('sandbox.opt-out.2'),
  'order-assumed': believed('sandbox.opt-out.1'),
  'answered-before-written': believed('sandbox.unsubscription.1'),
  'pieces-as-text': { check: 'unicode-in-pieces' },
  'opt-out-ignored': { code: 'promotion-after-revocation', seed: 'sandbox.opt-out.0' },
  'retry-storm': { code: 'sent-twice', seed: 'sandbox.conversation.0' },
  'parsed-before-verified': { code: 'never-accepted', seed: 'sandbox.opt-in.1' },
  'unknown-refused': { check: 'unknown-event' },
  unsigned: { code: 'forgery-accepted', seed: 'sandbox.unsubscription.1' },
  'session-shortened': believed('sandbox.conversation.6'),
  'terminal-overwritten': believed('sandbox.failure.6'),
  'resent-without-key': { code: 'no-idempotency-key', seed: 'sandbox.expiry.0' },
  'strict-schema': { check: 'added-fields' },
  'deduped-by-message': believed('sandbox.order-notification.0'),
  'marked-before-work': believed('sandbox.opt-out.0'),
  'secret-cached': { code: 'forgery-accepted', seed: 'sandbox.unsubscription.1' },
  'one-stop': believed('sandbox.opt-out.0'),
  'looked-up-too-early': believed('sandbox.conversation.6'),
  'truncated-accepted': { check: 'signature-truncated' },
  'pending-taken-for-granted': believed('sandbox.opt-in.1'),
  'soft-taken-for-hard': believed('sandbox.bounce.2'),
  'ascii-only': { check: 'unicode' },
  'counted-by-attempt': believed('sandbox.order-notification.1'),
  'unsubscription-ignored': believed('sandbox.unsubscription.0'),
}

const MAX_DELIVERIES = 4

test('24 bugs are planted, each with its evidence', () => {
  const planted = frameworks.flatMap((framework) => PLANTED[framework])
  expect(planted).toHaveLength(24)
  expect(planted.toSorted()).toEqual(Object.keys(EVIDENCE).toSorted())
})

describe.each(frameworks)('on %s', (framework) => {
  let shops: Shops
  beforeAll(async () => {
    shops = await startShops(framework)
  })
  afterAll(() => shops.stop())

  test.each(PLANTED[framework])(
    '%s is found by its seed and again by the few deliveries that are left of it, and the mended version is not blamed',
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
      expect(failure!.deliveries.length).toBeLessThanOrEqual(MAX_DELIVERIES)
      const { schedule } = failure!
      expect((await explore({ ...wrong, schedule })).failure!.story).toBe(failure!.story)
      expect((await explore({ ...mended, schedule })).failure?.story).toBeUndefined()
    },
  )

  test('the mended application passes schedules and checks', async () => {
    expect((await explore({ ...shops.application(MENDED), schedules: 18 })).failure?.story).toBeUndefined()
    expect(await failedChecks(shops.application(MENDED))).toEqual([])
  })
})
