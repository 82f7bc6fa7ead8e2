import { afterAll, expect, test } from 'vitest'
import {
  FIXED,
  type Framework,
  failedChecks,
  fixedVersionOf,
  frameworks,
  PLANTED,
  type Shops,
  startShops,
} from '../../scripts/bench/handlers.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { builtInFlows, requireFlow } from '../../src/handlers/explore/flows/index.ts'
import type { Perturbation, SavedSchedule } from '../../src/scenarios/deliveries.ts'

/** The first events of a flow with disturbances. */
interface Failing {
  code: string
  flow: string
  events: number
  perturbations: Perturbation[]
  sends?: true
  /** The number of the flow's alternative, from 0. */
  alternative?: number
}

type Evidence = { check: string } | Failing

/** What reveals each planted bug: the smallest schedule, or a check. `npm run bench -- handlers` searches for it. */
// biome-ignore format: a table is read by column
const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'repeats-unnoticed': { code: 'belief-differs', flow: 'opt-out', events: 6, perturbations: [{ kind: 'duplicate', event: 5 }] },
  'order-assumed': { code: 'belief-differs', flow: 'order-notification', events: 5, perturbations: [{ kind: 'delay', event: 2, after: 2 }] },
  'answered-before-written': { code: 'belief-differs', flow: 'opt-out', events: 6, perturbations: [{ kind: 'restart', event: 5 }] },
  'pieces-as-text': { code: 'never-accepted', flow: 'conversation', events: 7, perturbations: [{ kind: 'connection', event: 6, form: 'pieces' }] },
  'opt-out-ignored': { code: 'promotion-after-revocation', flow: 'opt-out', events: 6, perturbations: [] },
  'retry-storm': { code: 'sent-twice', flow: 'reply-then-stop', events: 6, perturbations: [] },
  'stop-unrecorded': { code: 'stop-not-recorded', flow: 'opt-out', events: 6, perturbations: [], sends: true },
  'parsed-before-verified': { code: 'never-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'spelling', event: 0 }] },
  'unknown-refused': { code: 'never-accepted', flow: 'order-notification', events: 3, perturbations: [{ kind: 'unknown', event: 2 }] },
  unsigned: { code: 'forgery-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'forgery', event: 0 }] },
  'session-shortened': { code: 'belief-differs', flow: 'reply-then-stop', events: 7, perturbations: [{ kind: 'delay', event: 5, after: 1 }] },
  'terminal-overwritten': { code: 'belief-differs', flow: 'opened-and-clicked', events: 7, perturbations: [{ kind: 'delay', event: 2, after: 4 }] },
  'resent-without-key': { code: 'no-idempotency-key', flow: 'expiry', events: 6, perturbations: [] },
  'strict-schema': { code: 'never-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'new-value', event: 0 }] },
  'deduped-by-message': { code: 'belief-differs', flow: 'order-notification', events: 4, perturbations: [] },
  'marked-before-work': { code: 'belief-differs', flow: 'opt-out', events: 6, perturbations: [] },
  'secret-cached': { code: 'forgery-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'rotation', event: 0 }] },
  'one-stop': { code: 'belief-differs', flow: 'opt-out', events: 6, perturbations: [] },
  'looked-up-too-early': { code: 'belief-differs', flow: 'opt-out', events: 6, perturbations: [{ kind: 'timeout', event: 5 }] },
  'truncated-accepted': { code: 'forgery-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'forgery', event: 0, form: 'truncated' }] },
  'pending-taken-for-granted': { code: 'belief-differs', flow: 'opt-in-pending', events: 2, perturbations: [] },
  'soft-taken-for-hard': { code: 'belief-differs', flow: 'soft-bounce', events: 4, perturbations: [] },
  'ascii-only': { code: 'never-accepted', flow: 'conversation', events: 7, perturbations: [] },
  'counted-by-attempt': { code: 'belief-differs', flow: 'order-notification', events: 5, perturbations: [{ kind: 'duplicate', event: 4 }] },
  'unsubscription-ignored': { code: 'belief-differs', flow: 'unsubscription', events: 6, perturbations: [] },
  'ids-per-instance': { code: 'belief-differs', flow: 'open-conversation', events: 6, perturbations: [{ kind: 'duplicate', event: 5 }] },
  'stale-cache': { code: 'belief-differs', flow: 'order-notification', events: 5, perturbations: [{ kind: 'delay', event: 3, after: 1 }] },
  'secret-of-one-instance': { code: 'forgery-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'rotation', event: 0 }] },
  'latin1-body': { code: 'belief-differs', flow: 'conversation', events: 7, perturbations: [] },
  'works-after-answer': { code: 'belief-differs', flow: 'bounce', events: 3, perturbations: [] },
  'closed-enum': { code: 'never-accepted', flow: 'failure', events: 4, perturbations: [{ kind: 'new-value', event: 3 }] },
  'complaint-ignored': { code: 'belief-differs', flow: 'complaint', events: 5, perturbations: [] },
  'deletion-ignored': { code: 'belief-differs', flow: 'deleted-contact', events: 6, perturbations: [] },
  'read-then-written': { code: 'belief-differs', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'together', event: 5 }] },
  'consent-without-kind': { code: 'belief-differs', flow: 'consent-records', events: 5, perturbations: [] },
  'ordered-by-day': { code: 'belief-differs', flow: 'consent-renewed', events: 4, perturbations: [{ kind: 'delay', event: 2, after: 1 }] },
  'missing-signature-accepted': { code: 'forgery-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'forgery', event: 0, form: 'unsigned' }] },
  'unknown-fields-refused': { code: 'never-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'new-value', event: 0 }] },
  'tap-refused': { code: 'never-accepted', flow: 'tap', events: 6, perturbations: [] },
  'paused-is-completed': { code: 'belief-differs', flow: 'paused-campaign', events: 4, perturbations: [] },
  'older-end-wins': { code: 'belief-differs', flow: 'reopened-session', events: 8, perturbations: [{ kind: 'delay', event: 6, after: 1 }] },
  'stop-as-prefix': { code: 'belief-differs', flow: 'no-stop', events: 6, perturbations: [] },
  'where-forgotten': { code: 'belief-differs', flow: 'two-people', events: 13, perturbations: [] },
  'ids-in-memory': { code: 'belief-differs', flow: 'open-conversation', events: 6, perturbations: [{ kind: 'restart', event: 5 }, { kind: 'duplicate', event: 5 }] },
  'torn-state': { code: 'handler-not-restarted', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'kill', event: 5, at: 'work' }] },
  'blocked-by-unknown': { code: 'belief-differs', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'unknown', event: 5 }] },
  'dies-of-a-reason': { code: 'handler-died', flow: 'failure', events: 4, perturbations: [{ kind: 'new-value', event: 3 }] },
  'window-of-ids': { code: 'belief-differs', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'history', others: 150, event: 6 }] },
  // As for a torn state, so that the correct worker plays these kills once for all three; each kill is two starts.
  'stale-lock': { code: 'handler-not-restarted', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'kill', event: 5, at: 'work' }] },
  'new-key-each-time': { code: 'key-changed-on-retry', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: 'part' }] },
  'parses-first': { code: 'sends-differ', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: '502' }] },
  'dates-are-now': { code: 'sends-differ', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: '502' }] },
  'waits-for-ever': { code: 'still-changing', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: 'never', seconds: 4 }] },
  'tries-once-more': { code: 'sends-differ', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: '502' }] },
  'long-wait-is-final': { code: 'sends-differ', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: '429', seconds: 2 }] },
  'tries-too-often': { code: 'retry-storm', flow: 'tap', events: 6, perturbations: [{ kind: 'failed-call', event: 5, answer: '404' }] },
  'forgets-after-404': { code: 'stop-not-recorded', flow: 'reply-then-stop', events: 7, perturbations: [{ kind: 'failed-call', event: 6, answer: '404' }], sends: true },
  'forgets-the-unpaid': { code: 'sends-differ', flow: 'late-reload', events: 6, perturbations: [{ kind: 'failed-call', event: 4, answer: '402' }] },
  'tries-without-money': { code: 'balance-repeated', flow: 'late-reload', events: 6, perturbations: [{ kind: 'failed-call', event: 4, answer: '402' }] },
  'object-in-text': { code: 'mistake-in-text', flow: 'open-conversation', events: 6, perturbations: [] },
  'cuts-emoji': { code: 'mistake-in-text', flow: 'texts', events: 7, perturbations: [] },
  'own-agent': { code: 'conversation-without-session', flow: 'two-agents', events: 9, perturbations: [] },
  'last-ten-texts': { code: 'belief-differs', flow: 'long-conversation', events: 60, perturbations: [] },
  'sms-as-rcs': { code: 'belief-differs', flow: 'consent-records', events: 5, perturbations: [] },
  'email-needed': { code: 'never-accepted', flow: 'one-address', alternative: 1, events: 1, perturbations: [] },
  'orders-by-local-time': { code: 'belief-differs', flow: 'turn-of-time', alternative: 1, events: 8, perturbations: [] },
  'reads-in-turn': { code: 'handler-blocked', flow: 'order-notification', events: 1, perturbations: [{ kind: 'connection', event: 0, form: 'stalled' }] },
  'known-by-header': { code: 'belief-differs', flow: 'opt-out', events: 6, perturbations: [{ kind: 'forgery', event: 5, form: 'other-id' }] },
  'exact-content-type': { code: 'never-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'spelling', event: 0, form: 'headers' }] },
  'empty-signature-accepted': { code: 'forgery-accepted', flow: 'order-notification', events: 1, perturbations: [{ kind: 'forgery', event: 0, form: 'empty' }] },
  'dies-of-half-a-body': { code: 'handler-died', flow: 'order-notification', events: 1, perturbations: [{ kind: 'connection', event: 0, form: 'closed' }] },
  'loses-its-queue-at-the-end': { code: 'belief-differs', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'restart', event: 6, form: 'orderly' }] },
  'id-stored-first': { code: 'belief-differs', flow: 'open-conversation', events: 7, perturbations: [{ kind: 'kill', event: 5, at: 'work' }] },
}

const planted = frameworks
  .flatMap((framework) => PLANTED[framework].map((bug, turn) => ({ framework, bug: bug as string, turn })))
  // Frameworks take turns, because only they can be explored side by side.
  .toSorted((a, b) => a.turn - b.turn)

test('every planted bug has its evidence', () => {
  expect(planted.map(({ bug }) => bug).toSorted()).toEqual(Object.keys(EVIDENCE).toSorted())
  expect(planted.length).toBeGreaterThanOrEqual(48)
})

const scheduleOf = ({ code: _, events, alternative = 0, ...failing }: Failing): SavedSchedule => ({
  ...failing,
  draw: `s.${failing.flow}.${alternative}`,
  events: [...Array(events).keys()],
})

/** The schedules that find these bugs, each once. */
function schedulesOf(bugs: readonly string[]): SavedSchedule[] {
  const evidences = bugs.map((bug) => EVIDENCE[bug]!).filter((evidence) => 'flow' in evidence)
  return [...new Map(evidences.map(scheduleOf).map((schedule) => [JSON.stringify(schedule), schedule])).values()]
}

const started = new Map<Framework, Promise<Shops | undefined>>()
const lastOf = new Map<Framework, Promise<unknown>>()

afterAll(async () => {
  for (const shops of started.values()) await (await shops)?.stop()
})

/** Explorations of a framework take turns, because its applications send to one port. */
async function inTurn<T>(framework: Framework, work: (shops: Shops) => Promise<T>): Promise<T | undefined> {
  const shops = started.get(framework) ?? startShops(framework)
  started.set(framework, shops)
  const next = (lastOf.get(framework) ?? shops).then(async () => {
    const installed = await shops
    return installed && work(installed)
  })
  lastOf.set(
    framework,
    next.catch(() => {}),
  )
  return next
}

test.concurrent.for(planted)('$bug on $framework is found', async ({ framework, bug }, { expect, skip }) => {
  const evidence = EVIDENCE[bug]!
  const codes = await inTurn(framework, async (shops) => {
    const wrong = shops.application(bug)
    if ('check' in evidence) return failedChecks(wrong, [evidence.check])
    const { failure } = await explore({ ...wrong, schedule: scheduleOf(evidence) })
    return failure?.findings.map(({ code }) => code)
  })
  if (!(await started.get(framework))) return skip(`${framework} is not installed`)
  expect(codes).toContain('check' in evidence ? evidence.check : evidence.code)
})

test.concurrent.for(frameworks)(
  'the fixed versions on %s pass the same schedules, and every check',
  async (framework, { expect, skip }) => {
    const results = await inTurn(framework, async (shops) => {
      const stories = []
      for (const [version, bugs] of Object.entries(Object.groupBy(PLANTED[framework], fixedVersionOf))) {
        const flows = schedulesOf(bugs).map((schedule) => ({
          ...requireFlow(schedule.flow, builtInFlows),
          scenario: { text: '', schedule },
        }))
        const { failure, schedules } = await explore({ ...shops.application(version), flows, seed: 's' })
        stories.push(failure?.story ?? (schedules === flows.length ? 'passed' : 'not played'))
      }
      return { stories, checks: await failedChecks(shops.application(FIXED)) }
    })
    if (!results) return skip(`${framework} is not installed`)
    expect(new Set(results.stories)).toEqual(new Set(['passed']))
    expect(results.checks).toEqual([])
  },
)
