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
import type { Kind, Perturbation } from '../../src/handlers/explore/schedule.ts'

type Evidence = { check: string } | { code: string; flow: string; n: number; events: number[]; befall: Perturbation[] }

const befallen = (kind: Kind, event: number, after?: number) => [{ kind, event, ...(after ? { after } : {}) }]
const believed = (flow: string, events: number[], befall: Perturbation[] = [], n = 0): Evidence => ({
  code: 'belief-differs',
  flow,
  n,
  events,
  befall,
})
const other = (code: string, flow: string, events: number[], befall: Perturbation[] = []): Evidence => ({
  code,
  flow,
  n: 0,
  events,
  befall,
})

/** The smallest evidence of each planted bug; `npm run bench -- handlers` searches for it anew. */
const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'repeats-unnoticed': believed('opt-out', [5], befallen('duplicate', 5)),
  'order-assumed': believed('failure', [2, 3], befallen('delay', 2, 1)),
  'answered-before-written': believed('opt-out', [5], befallen('restart', 5)),
  'pieces-as-text': { check: 'unicode-in-pieces' },
  'opt-out-ignored': other('promotion-after-revocation', 'opt-out', [5]),
  'retry-storm': other('sent-twice', 'conversation', [5]),
  'parsed-before-verified': other('never-accepted', 'order-notification', [2], befallen('spelling', 2)),
  'unknown-refused': { check: 'unknown-event' },
  unsigned: other('forgery-accepted', 'order-notification', [2], befallen('forgery', 2)),
  'session-shortened': believed('conversation', [5, 6], befallen('delay', 5, 1)),
  'terminal-overwritten': believed('failure', [2, 3], befallen('delay', 2, 1)),
  'resent-without-key': other('no-idempotency-key', 'expiry', [3]),
  'strict-schema': { check: 'added-fields' },
  'deduped-by-message': believed('order-notification', [2, 3]),
  'marked-before-work': believed('opt-out', [5]),
  'secret-cached': other('forgery-accepted', 'order-notification', [2], befallen('rotation', 2)),
  'one-stop': believed('opt-out', [5]),
  'looked-up-too-early': believed('opt-out', [5], befallen('timeout', 5)),
  'truncated-accepted': { check: 'signature-truncated' },
  'pending-taken-for-granted': believed('opt-in', [1]),
  'soft-taken-for-hard': believed('bounce', [3], [], 2),
  'ascii-only': { check: 'unicode' },
  'counted-by-attempt': believed('order-notification', [4], befallen('duplicate', 4)),
  'unsubscription-ignored': believed('unsubscription', [4]),
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
    '%s is found by a few deliveries, and the mended version is not blamed',
    async (bug) => {
      const evidence = EVIDENCE[bug]!
      const [wrong, mended] = [shops.application(bug), shops.application(mendedOf(bug))]
      if ('check' in evidence) {
        expect(await failedChecks(wrong, [evidence.check])).toEqual([evidence.check])
        expect(await failedChecks(mended, [evidence.check])).toEqual([])
        return
      }
      const { code, flow, n, events, befall } = evidence
      const schedule = { flow, draw: `sandbox.${flow}.${n}`, events, perturbations: befall }
      const { failure } = await explore({ ...wrong, schedule })
      expect(failure?.findings.map((finding) => finding.code)).toContain(code)
      expect(failure!.deliveries.length).toBeLessThanOrEqual(MAX_DELIVERIES)
      expect((await explore({ ...mended, schedule })).failure?.story).toBeUndefined()
    },
  )

  test('the mended application passes schedules and checks', async () => {
    expect((await explore({ ...shops.application(MENDED), schedules: 18 })).failure?.story).toBeUndefined()
    expect(await failedChecks(shops.application(MENDED))).toEqual([])
  })
})
