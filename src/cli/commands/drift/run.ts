import { type ClientOptions, Refusal } from '../../../client/call.ts'
import { newKey, withIdempotencyKey } from '../../../client/idempotency-key.ts'
import { exchange } from '../../../http/exchange.ts'
import { probesFor } from '../../../scenarios/drift/probes.ts'
import { answersOf, compare, MAX_MESSAGES, messagesIn } from '../../../scenarios/drift/run.ts'
import { probesOf } from '../../../scenarios/drift/scenario-probes.ts'
import { parseScenario, type Scenario } from '../../../scenarios/parse.ts'
import { ask, type ScenarioTarget } from '../../../scenarios/target.ts'
import { apiKeyOf, DEFAULT_API_KEY } from '../../../words/api-key.ts'
import { isRecord } from '../../../words/json.ts'
import { DEFAULT_AGENT } from '../../../words/worlds.ts'
import { startOwnEmulator } from '../../own-emulator/start.ts'
import { EXIT, type ExitCode, misconfigured, usage } from '../../process/exit.ts'
import { inputName, objectIn, refuseUnwritable, textOf, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { allowsLive } from '../../target/live-guard.ts'
import { type VariableFlag, varsFor } from '../run/variables.ts'
import { inWords, type RecordedRun } from './tell.ts'

export interface DriftFlags {
  emulator?: string
  emulatorKey: string
  agent?: string
  to?: string
  record?: string
  replay?: string
  scenario?: string
  var?: VariableFlag[]
  force?: boolean
}

type Flags = DriftFlags & { live?: boolean }

export async function drift(session: Session, flags: Flags): Promise<ExitCode> {
  const { io, output } = session
  if ((flags.agent === undefined) !== (flags.to === undefined)) throw usage('Pass both --agent and --to, or neither.')
  if (flags.agent !== undefined && !isLive(session, flags))
    throw usage('--agent and --to send a message, so they need --live.')
  if (flags.record !== undefined) await refuseUnwritable(io, flags.record, { force: flags.force ?? false })
  const scenario = await scenarioOf(session, flags)
  const kept =
    flags.replay === undefined
      ? await answersForFlags(session, flags, scenario)
      : recordingIn(await objectIn(io, flags.replay), flags.replay)
  refuseOther(kept, flags, scenario)
  const probes = probesFor(kept)
  const more = scenario ? probesOf(scenario, kept.live) : []
  const emulator = await withEmulator(session, flags, scenario, async (target, scenarioTarget) => ({
    ...(await answersOf({ target, vars: { ...DEFAULT_WORLD, key: newKey() } }, probes)),
    // A scenario's own variables, independent of other requests.
    ...(await answersOf({ target: scenarioTarget, vars: { ...scenario?.vars, target: 'emulator' } }, more)),
  }))
  if (flags.record !== undefined)
    await writeWhole(io, flags.record, `${JSON.stringify(kept, null, 2)}\n`, {
      force: flags.force ?? false,
    })
  const comparison = compare([...probes, ...more], emulator, kept.answers)
  output.data({ service: kept.service, ...comparison }, (paint, shown) => inWords(shown, paint))
  return comparison.differences.length > 0 ? EXIT.expectation : EXIT.ok
}

function recordingIn(content: Record<string, unknown>, file: string): RecordedRun {
  const { service, live, answers } = content
  if (
    typeof service === 'string' &&
    typeof live === 'boolean' &&
    isRecord(answers) &&
    Object.values(answers).every(isRecord)
  )
    return content as unknown as RecordedRun
  throw usage(`${file} is not a recording.`, 'Record one: sandbox drift --record <file>')
}

const isLive = ({ io }: Session, { live = false }: Pick<Flags, 'live'>) => live || allowsLive(io.env)

/** Values of the default world. */
const DEFAULT_WORLD = { agent: DEFAULT_AGENT, to: '+491713920050' }
const READS_ALL = '+491713920000'

async function scenarioOf(
  { io }: Session,
  { scenario: file, var: variables = [] }: Flags,
): Promise<Scenario | undefined> {
  if (file === undefined && variables.length > 0)
    throw usage('--var sets variables of a --scenario, but no --scenario is set.')
  if (file === undefined) return undefined
  const names = variables.map(({ name }) => name)
  return parseScenario(await textOf(io, file), inputName(file), names)
}

async function answersForFlags(
  session: Session,
  { agent, to, var: variables = [], ...flags }: Flags,
  scenario: Scenario | undefined,
): Promise<RecordedRun> {
  const { endpoint, io } = session
  const live = isLive(session, flags)
  const sends = live && agent !== undefined
  const target = { endpoint, isEmulator: false, signal: io.signal }
  const more = scenario ? probesOf(scenario, live) : []
  const count = messagesIn(more)
  if (count > MAX_MESSAGES)
    throw usage(`${scenario!.file} sends ${count} messages; a comparison sends at most ${MAX_MESSAGES}.`)
  const variableValues = scenario && { ...scenario.vars, ...varsFor(scenario, variables), target: 'live' }
  const answers = {
    ...(await answersOf({ target, vars: { agent, to, key: newKey() } }, probesFor({ live, sends }))),
    ...(await answersOf({ target, vars: variableValues ?? {} }, more)),
  }
  return { service: endpoint.baseUrl, live, sends, scenario: scenario?.name ?? null, answers }
}

/** Answers are stored by the names of their probes, so a recording is comparable only with the same scenario. */
function refuseOther({ scenario: kept = null }: RecordedRun, { replay }: Flags, scenario: Scenario | undefined) {
  const now = scenario?.name ?? null
  if (kept === now) return
  const hint = kept === null ? 'Leave --scenario out.' : `Name the file of "${kept}" with --scenario.`
  throw usage(`${replay} was recorded ${kept === null ? 'without a scenario' : `with the scenario "${kept}"`}.`, hint)
}

/** Uses the sandbox of --emulator, or starts one for this command. */
async function withEmulator<T>(
  session: Session,
  { emulator, emulatorKey }: DriftFlags,
  scenario: Scenario | undefined,
  work: (target: ScenarioTarget, scenarioTarget: ScenarioTarget) => Promise<T>,
): Promise<T> {
  if (emulator !== undefined) {
    const target = emulatorAt(session, emulator, emulatorKey)
    return work(target, target).catch(refusedEmulatorKey)
  }
  const { world = 'default' } = scenario ?? {}
  const own = await startOwnEmulator({ world, clock: { mode: 'frozen' } }, session.io, session.output)
  try {
    const seeded = emulatorAt(session, own.url, apiKeyOf('drift'))
    await seed(seeded)
    return await work(seeded, emulatorAt(session, own.url, DEFAULT_API_KEY))
  } finally {
    await own.stop()
  }
}

/** Makes a record of each kind that the probes read, as far as the world permits: also the invoice of a past month. */
async function seed(target: ScenarioTarget) {
  const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hello' } }
  for (const by of ['32d', '1m']) {
    await ask(target, 'messages.send', { agent_id: DEFAULT_WORLD.agent, to: READS_ALL, ...text })
    await ask(target, 'clock.advance', { by })
  }
  await ask(target, 'webhooks.create', { url: 'https://example.com/', events: ['message.read'] })
}

function refusedEmulatorKey(error: unknown): never {
  if (error instanceof Refusal && error.status === 401)
    throw misconfigured(
      `The sandbox of --emulator refuses its key. ${error.reason}`,
      'Pass its key with --emulator-key.',
    )
  throw error
}

function emulatorAt({ io, endpoint }: Session, baseUrl: string, apiKey: string): ScenarioTarget {
  const options: ClientOptions = {
    baseUrl,
    apiKey,
    timeoutMs: endpoint.timeoutMs,
    network: endpoint.network,
    send: withIdempotencyKey(({ request }) => exchange(request)),
  }
  return { endpoint: options, isEmulator: true, signal: io.signal }
}
