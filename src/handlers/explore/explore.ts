import { z } from 'zod'
import { Limit } from '../../http/limit.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import { EventNamePattern } from '../../service/events/patterns.ts'
import { isSubscribed } from '../../words/event-patterns.ts'
import { validate } from '../../words/validate.ts'
import { machineSecret } from '../../world/machine-secret.ts'
import { beliefReader } from './application.ts'
import type { Belief } from './belief.ts'
import { runnable } from './commands/runnable.ts'
import type { PlayContext } from './context.ts'
import { rotate } from './deliver.ts'
import type { Flow } from './flow.ts'
import { type FlowSandbox, hasPeople, openFlowSandbox } from './flow-sandbox.ts'
import { builtInFlows, requireFlow } from './flows/index.ts'
import { requireLevers } from './levers.ts'
import { noteSections } from './observer.ts'
import type { Explored, ExploreOptions } from './options.ts'
import { Records } from './records.ts'
import type { SearchOptions } from './runs.ts'
import { flowIn, isPath } from './scenario.ts'
import { Search } from './search.ts'
import { FIRST_LAG_MS } from './settle.ts'

export const SETTLE_MS = 600
export const TIMEOUT_MS = 5_000
const SECRET = 'whsec_explore'
/** The default time limit of a search, machine ms. */
const TIME_LIMIT_MS = 600_000
/** The time in which a failure that was found within the limit is confirmed and made smaller. A second is left for its report. */
const GRACE_MS = 29_000
const NOT_ENDED = `the last schedules had not ended ${GRACE_MS / 1_000} s after the limit`

/** Plays flows under schedules until one fails, and shrinks it. Equal seeds play the same. */
export async function explore({ signal, timeLimitMs = TIME_LIMIT_MS, ...options }: ExploreOptions): Promise<Explored> {
  const { stop, ...application } = runnable(options, signal)
  const limit = new Limit(timeLimitMs && timeLimitMs + GRACE_MS, signal)
  try {
    const explored = await exploreWithin({ ...application, timeLimitMs, signal: limit.signal })
    const interrupted = signal?.aborted ?? false
    const isCut = limit.signal.aborted && !interrupted
    return {
      ...explored,
      ...{ interrupted, out_of_time: explored.out_of_time || isCut },
      unsettled: explored.unsettled ?? (isCut && !explored.failure ? NOT_ENDED : null),
    }
  } finally {
    limit.end()
    await stop()
  }
}

type Bounded = ExploreOptions<never> & Pick<SearchOptions, 'timeLimitMs' | 'signal'>

async function exploreWithin(options: Bounded): Promise<Omit<Explored, 'interrupted'>> {
  requireLevers(options, options.schedule)
  const addresses = new Set<string>()
  const flows = await flowsOf(options.flows)
  const flowSandbox = await openFlowSandbox(machineSecret(''), {
    ...options,
    isTaken: (address) => addresses.has(address),
    flows,
  })
  const context = playContext(options, flowSandbox)
  try {
    const { url: baseUrl, sandbox } = flowSandbox
    const { apiKey } = sandbox
    await options.start?.({ baseUrl, apiKey, secret: context.secret.first })
    const belief = await context.readBelief()
    noteSections(context.seen, belief)
    for (const address of addressesIn(belief)) addresses.add(address)
    if (!options.reset) {
      context.beginning = { belief }
      context.seen.hasEarlierRun = hasPeople(JSON.stringify(belief))
    }
    const seed = options.seed ?? newSeed()
    const disturbed = (flow: Flow) =>
      belief.records && flow.isUndisturbed === 'without records' ? { ...flow, isUndisturbed: undefined } : flow
    return await new Search(context, { ...options, flows: flows.map(disturbed), seed }).run()
  } finally {
    // Restores the application's secret, unless the application is gone.
    if (context.secret.now !== context.secret.first) await rotate(context, context.secret.first).catch(() => {})
    await flowSandbox.stop()
  }
}

const newSeed = () =>
  machineSecret('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 8)

function playContext(options: Bounded, flowSandbox: FlowSandbox): PlayContext {
  const { start, timeoutMs = TIMEOUT_MS, settleMs = SETTLE_MS, events = ['*'], headers, network, signal } = options
  const secret = options.secret ?? (start ? machineSecret('whsec_') : SECRET)
  const patterns = validate(z.array(EventNamePattern), events, 'events')
  return {
    application: options,
    readBelief: beliefReader(options, options),
    flowSandbox,
    secret: { first: secret, old: secret, now: secret },
    timeoutMs,
    headers,
    network,
    settleMs,
    isSubscribed: (name) => isSubscribed(patterns, name),
    life: { hasAnswered: false, isDown: false, upMs: stopwatch() },
    seen: {
      ...{ isNew: true, calls: false, calledFor: new Set(), sends: false, otherTraffic: false },
      ...{
        lagMs: FIRST_LAG_MS,
        longestLagMs: 0,
        longestWorkMs: 0,
        longestRetryMs: 0,
        hasStalled: false,
        hasEarlierRun: false,
        newestMs: 0,
        parts: new Set(),
        sections: new Set(),
      },
    },
    durations: [],
    delivered: 0,
    kills: { count: 0, restarts: 0 },
    remembered: [],
    records: new Records(),
    signal,
  }
}

const flowsOf = async (flows: ExploreOptions['flows'] = builtInFlows): Promise<readonly Flow[]> =>
  Promise.all(
    flows.map((flow) => {
      if (typeof flow !== 'string') return flow
      return isPath(flow) ? flowIn(flow) : requireFlow(flow, builtInFlows)
    }),
  )

/** Addresses that the application knows from earlier explorations are avoided. */
const addressesIn = ({ suppressed, replies, sessions, texts, postbacks }: Belief): string[] =>
  [suppressed, replies, sessions, texts, postbacks].flatMap((section) => Object.keys(section ?? {}))
