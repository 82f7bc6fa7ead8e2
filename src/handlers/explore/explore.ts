import { z } from 'zod'
import { kindNames, type PerturbationKind, type Schedule } from '../../scenarios/deliveries.ts'
import { recordingOf } from '../../scenarios/record.ts'
import { EventNamePattern } from '../../service/events/patterns.ts'
import { isSubscribed } from '../../words/event-patterns.ts'
import { problem } from '../../words/problem.ts'
import { suggest } from '../../words/suggest.ts'
import { validate } from '../../words/validate.ts'
import { machineSecret } from '../../world/machine-secret.ts'
import { type Application, beliefOf, pull } from './application.ts'
import type { Belief } from './belief.ts'
import type { Flow } from './flow.ts'
import { type FlowSandbox, openFlowSandbox } from './flow-sandbox.ts'
import { builtInFlows } from './flows.ts'
import type { Explored, ExploreOptions, Failure } from './options.ts'
import { type PlayContext, play, rotate } from './play.ts'
import { flowIn, isPath, withSchedule } from './scenario.ts'
import { drawSchedule } from './schedule.ts'
import { type FailingSchedule, shrink } from './shrink.ts'
import { storyOf } from './story.ts'

const SCHEDULES = 100
const SETTLE_MS = 200
const TIMEOUT_MS = 5_000
const SEED = 'sandbox'
const SECRET = 'whsec_explore'

/** A flow with its schedule. */
interface PlannedRun {
  flow: Flow
  draw: string
  seed: string
  /** Given, or drawn once the number of events is known. */
  schedule: Schedule | ((events: readonly number[]) => Schedule)
}

/** Plays flows under schedules until one fails, and shrinks it. Deterministic for a seed. */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const known = new Set<string>()
  const flows = await flowsOf(options.flows)
  const flowSandbox = await openFlowSandbox(machineSecret(''), {
    ...options,
    isTaken: (address) => known.has(address),
    flows,
  })
  try {
    return await search({ ...options, flows }, flowSandbox, known)
  } finally {
    await flowSandbox.sandbox.stop()
  }
}

/** The options with parsed flows. */
type Options = Omit<ExploreOptions, 'flows'> & { flows: readonly Flow[] }

async function search(options: Options, flowSandbox: FlowSandbox, known: Set<string>): Promise<Explored> {
  const context = playContext(options, flowSandbox)
  try {
    return await searchOn(context, options, known)
  } finally {
    // Restores the application's secret, unless the application is gone.
    if (context.secret.now !== context.secret.first) await rotate(context, context.secret.first).catch(() => {})
  }
}

async function searchOn(context: PlayContext, options: Options, known: Set<string>): Promise<Explored> {
  const { seed = SEED, schedules = SCHEDULES, onSchedule, signal } = options
  const runs = plannedRuns(options, seed, schedules)
  const { url: baseUrl, apiKey } = context.flowSandbox.sandbox
  await options.start?.({ baseUrl, apiKey, secret: context.secret.first })
  for (const address of addressesIn(await beliefOf(options))) known.add(address)
  const result = { seed, schedules: 0, audited: context.sends, failure: null as Failure | null }
  try {
    for (const run of runs) {
      signal?.throwIfAborted()
      onSchedule?.(result.schedules + 1, run.flow.name)
      const failing = await perform(context, run)
      result.schedules++
      if (failing.played.findings.length === 0) continue
      const smallest = await smallestOf(context, run, failing)
      result.failure = await failureOf(context, run, smallest)
      break
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return { ...result, interrupted: signal?.aborted ?? false }
}

/** The smallest that is known when the signal ends the search. */
async function smallestOf(context: PlayContext, run: PlannedRun, failing: FailingSchedule): Promise<FailingSchedule> {
  const { application, life, signal } = context
  // A dead handler reveals nothing more.
  if (life.isDown && application.restart === undefined) return failing
  let smallest = failing
  const tryOut = async (schedule: Schedule) => (await perform(context, { ...run, schedule })).played
  try {
    for await (const smaller of shrink(failing, tryOut)) smallest = smaller
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return smallest
}

function playContext(options: ExploreOptions, flowSandbox: FlowSandbox): PlayContext {
  const { secret = SECRET, timeoutMs = TIMEOUT_MS, settleMs = SETTLE_MS, events = ['*'], signal } = options
  const patterns = validate(z.array(EventNamePattern), events, 'events')
  return {
    application: options,
    flowSandbox,
    secret: { first: secret, old: secret, now: secret },
    timeoutMs,
    sends: typeof options.handler === 'function' || options.start !== undefined || options.port !== undefined,
    settleMs,
    isSubscribed: (name) => isSubscribed(patterns, name),
    life: { hasAnswered: false, isDown: false },
    signal,
  }
}

async function perform(context: PlayContext, { flow, draw, schedule }: PlannedRun) {
  const { application, flowSandbox, secret, life } = context
  if (life.isDown && application.restart) await pull(application.restart)
  if (secret.now !== secret.first) await rotate(context, secret.first)
  if (application.reset) await pull(application.reset)
  const before: Belief = await beliefOf(application)
  const recording = await flowSandbox.record(flow, draw)
  const told = [...recording.keys()].filter((i) => context.isSubscribed(recording[i]!.event))
  const exact = typeof schedule === 'function' ? schedule(told) : within(schedule, recording.length)
  return { schedule: exact, played: await play(context, recording, exact, before) }
}

function* plannedRuns(options: Options, seed: string, count: number): Generator<PlannedRun> {
  const { schedule, flows } = options
  if (schedule) {
    requireLevers(options, schedule)
    const { flow, draw, events, perturbations } = schedule
    return yield { flow: requireFlow(flow, flows), draw, seed, schedule: { events, perturbations } }
  }
  const [, base, name, n] = /^(.+)\.([a-z0-9-]+)\.(\d+)$/.exec(seed) ?? []
  if (base !== undefined) return yield plannedRun(base, requireFlow(name!, flows), Number(n), options)
  for (const flow of flows) if (flow.scenario?.schedule) yield plannedRun(seed, flow, 0, options)
  const free = flows.filter(({ scenario }) => !scenario?.schedule)
  for (let n = 0; n < count && free.length > 0; n++)
    yield plannedRun(seed, free[n % free.length]!, Math.floor(n / free.length), options)
}

function plannedRun(seed: string, flow: Flow, n: number, application: Application): PlannedRun {
  const { restart, rotate } = application
  const { schedule } = flow.scenario ?? {}
  if (schedule) requireLevers(application, schedule)
  const isPossible = (kind: PerturbationKind) => (kind !== 'restart' || restart) && (kind !== 'rotation' || rotate)
  const among = kindNames.filter(isPossible)
  const own = `${seed}.${flow.name}`
  const id = `${own}.${n}`
  return { flow, draw: id, seed: id, schedule: schedule ?? ((events) => drawSchedule(own, n, events, among)) }
}

const flowsOf = async (given: ExploreOptions['flows'] = builtInFlows): Promise<readonly Flow[]> =>
  Promise.all(
    given.map((flow) => {
      if (typeof flow !== 'string') return flow
      return isPath(flow) ? flowIn(flow) : requireFlow(flow, builtInFlows)
    }),
  )

function requireFlow(name: string, flows: readonly Flow[]): Flow {
  const flow = flows.find((known) => known.name === name)
  if (flow) return flow
  const names = flows.map((known) => known.name)
  throw problem(
    'validation_error',
    `There is no flow "${name}"${suggest(name, names) || `; there are ${names.join(', ')}.`}`,
  )
}

/** Refuses a saved schedule whose lever is missing now. */
function requireLevers({ restart, rotate }: Application, { perturbations }: Schedule) {
  for (const [kind, lever, name] of [
    ['restart', restart, 'restart'],
    ['rotation', rotate, 'rotate'],
  ] as const)
    if (lever === undefined && perturbations.some((perturbation) => perturbation.kind === kind))
      throw problem('validation_error', `The schedule has a ${kind} in it: say with "${name}" how that is done.`)
}

/** Drops events that the flow no longer has. */
function within(schedule: Schedule, events: number): Schedule {
  const missing = schedule.events.find((event) => event >= events)
  if (missing === undefined) return schedule
  throw problem('validation_error', `The schedule delivers event ${missing}, and the flow has ${events}, from 0 on.`)
}

/** Addresses that the application knows from earlier explorations are avoided. */
const addressesIn = ({ suppressed, replies, sessions }: Belief): string[] =>
  [suppressed, replies, sessions].flatMap((section) => Object.keys(section ?? {}))

async function failureOf(
  context: PlayContext,
  run: PlannedRun,
  { schedule, played }: FailingSchedule,
): Promise<Failure> {
  const { flow, draw, seed } = run
  return {
    flow: flow.name,
    seed,
    schedule: { flow: flow.name, draw, ...schedule },
    scenario: withSchedule(await scenarioOf(context, run), schedule),
    findings: played.findings,
    deliveries: played.deliveries.map(({ name, attempt, how, status }) => ({ name, attempt, how, status })),
    story: storyOf(flow, played),
  }
}

/** Records a flow once more as calls, unless it is a scenario already. */
const scenarioOf = async ({ flowSandbox }: PlayContext, { flow, draw }: PlannedRun): Promise<string> =>
  flow.scenario?.text ?? recordingOf(await flowSandbox.callsOf(flow, draw), flow.summary).text
