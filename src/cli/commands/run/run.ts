import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { sleep } from '../../../http/sleep.ts'
import { bodyFaults, textFaults } from '../../../scenarios/bodies.ts'
import { junitOfScenarios } from '../../../scenarios/junit.ts'
import { parseScenario, type Scenario } from '../../../scenarios/parse.ts'
import {
  RunAborted,
  runScenario,
  type ScenarioOutcome,
  type StepOutcome,
  unreadOutcome,
  unstartedOutcome,
} from '../../../scenarios/run.ts'
import type { Step } from '../../../scenarios/schema.ts'
import { type LongWait, obstaclesOn, type ScenarioTarget, writes } from '../../../scenarios/target.ts'
import { DEFAULT_API_KEY } from '../../../words/api-key.ts'
import type { Detail } from '../../../words/problem.ts'
import { isWorldName } from '../../../words/worlds.ts'
import { reportFailure } from '../../failure/failure.ts'
import { printable } from '../../output/printable.ts'
import { checkWorld, startOwnEmulator } from '../../own-emulator/start.ts'
import { EXIT, type ExitCode, Interrupted, usage } from '../../process/exit.ts'
import { inputName, refuseUnwritable, textOf, writeWhole } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'
import { tellLongWait } from '../../session/next-step.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { tellOutcome, tellPlan, tellStep, unsuited, warnOtherWorld } from './tell.ts'
import { type VariableFlag, varsFor } from './variables.ts'

export interface RunFlags {
  var?: VariableFlag[]
  junit?: string
  dryRun?: boolean
  fresh?: boolean
  watch?: boolean
}

export async function start(session: Session, files: readonly string[], flags: RunFlags): Promise<ExitCode> {
  if (!flags.watch) return runAll(session, files, flags)
  if (files.includes('-')) throw usage('stdin cannot be watched.', 'Name a file.')
  if (flags.dryRun) throw usage('Pass --watch or --dry-run, not both.')
  await keepRunning(session, files, flags)
  return EXIT.ok
}

async function runAll(session: Session, files: readonly string[], flags: RunFlags): Promise<ExitCode> {
  const variables = flags.var ?? []
  const names = variables.map(({ name }) => name)
  const scenarios: Scenario[] = []
  const read = async (checkSteps: (steps: readonly Step[]) => Detail[]) => {
    for (const file of files) {
      const scenario = parseScenario(await textOf(session.io, file), inputName(file), names, checkSteps)
      // Nothing runs where a file is invalid.
      if (flags.fresh) await checkWorld(worldOf(session.io, scenario), session.io)
      scenarios.push(scenario)
    }
  }
  if (flags.dryRun) {
    await read(bodyFaults)
    for (const scenario of scenarios) tellPlan(session.output, scenario)
    return EXIT.ok
  }
  // Refused before anything is changed.
  if (flags.junit !== undefined) await refuseUnwritable(session.io, flags.junit, { force: true })
  const outcomes: ScenarioOutcome[] = []
  let target: ScenarioTarget | undefined
  try {
    await read(textFaults)
    if (!flags.fresh) target = await targetOf(session, scenarios)
    for (const scenario of scenarios) {
      const vars = varsFor(scenario, variables)
      outcomes.push(target ? await runOne(session, scenario, target, vars) : await runFresh(session, scenario, vars))
    }
    return exitOf(outcomes)
  } catch (error) {
    const isInScenario = error instanceof RunAborted
    if (isInScenario) outcomes.push(error.outcome)
    const invalid = files[scenarios.length]
    const hasError = isInScenario || invalid !== undefined
    for (const [i, scenario] of scenarios.slice(outcomes.length).entries()) {
      const kind = target?.isEmulator === false ? 'live' : 'emulator'
      const outcome = unstartedOutcome(scenario, kind, i === 0 && !hasError ? error : undefined)
      outcomes.push(outcome)
    }
    if (invalid !== undefined) outcomes.push(unreadOutcome(inputName(invalid), error))
    // The step says so. No call of a scenario can be repeated by its key.
    if (isInScenario && session.io.signal.aborted) throw new Interrupted()
    throw isInScenario ? error.cause : error
  } finally {
    if (flags.junit !== undefined)
      await writeWhole(session.io, flags.junit, junitOfScenarios(outcomes), { force: true })
  }
}

/** Checks what the service supports, so that no scenario stops half-way. */
async function targetOf(session: Session, scenarios: readonly Scenario[]): Promise<ScenarioTarget> {
  const { endpoint, io } = session
  const isEmulator = await endpoint.isEmulator()
  if (isEmulator) await warnOtherWorlds(session, scenarios)
  for (const scenario of scenarios) {
    const obstacles = obstaclesOn(isEmulator, scenario)
    if (obstacles.length > 0) throw unsuited(scenario, obstacles, endpoint.baseUrl)
  }
  if (scenarios.some(({ steps }) => writes(steps))) await endpoint.requireLive()
  return { endpoint, isEmulator, signal: io.signal }
}

async function warnOtherWorlds(session: Session, scenarios: readonly Scenario[]) {
  const choosy = scenarios.filter(({ world }) => world !== undefined)
  if (choosy.length === 0) return
  const { made_from } = await callOperation(session, 'world.show', { isLookup: true })
  // A sandbox on another machine has the file in another folder.
  for (const scenario of choosy)
    if (made_from != null && basename(scenario.world!) !== made_from)
      warnOtherWorld(session.output, scenario, made_from)
}

/** The whole path of a world file, so that an error shows where it was looked up. */
const worldOf = ({ cwd }: Io, { world = 'default', file }: Scenario) =>
  isWorldName(world) ? world : resolve(cwd, dirname(file), world)

/** Runs a scenario against an emulator of its own. Its clock is frozen, and the scenario advances it. */
async function runFresh(session: Session, scenario: Scenario, vars: Record<string, unknown>): Promise<ScenarioOutcome> {
  const { io, output } = session
  const emulator = await startOwnEmulator({ world: worldOf(io, scenario), clock: { mode: 'frozen' } }, io, output)
  try {
    const endpoint = { baseUrl: emulator.url, apiKey: DEFAULT_API_KEY }
    return await runOne(session, scenario, { endpoint, isEmulator: true, signal: io.signal }, vars, true)
  } finally {
    await emulator.stop()
  }
}

async function runOne(
  { output }: Session,
  scenario: Scenario,
  target: ScenarioTarget,
  vars: Record<string, unknown>,
  isFresh = false,
): Promise<ScenarioOutcome> {
  output.note((paint) => paint.bold(printable(scenario.name)))
  const onStep = (step: StepOutcome) => tellStep(output, step, target.isEmulator && !isFresh)
  try {
    const onLongWait = (wait: LongWait) => tellLongWait(output, wait, WITHOUT_WAITING)
    const outcome = await runScenario(scenario, { ...target, vars, onStep, onLongWait })
    tellOutcome(output, outcome)
    return outcome
  } catch (error) {
    if (error instanceof RunAborted) tellOutcome(output, error.outcome)
    throw error
  }
}

const WITHOUT_WAITING = 'A run moves a frozen clock by itself: sandbox clock mode frozen, or --fresh.'

function exitOf(outcomes: readonly ScenarioOutcome[]): ExitCode {
  const failed = outcomes.find(({ passed }) => !passed)
  if (!failed) return EXIT.ok
  return failed.timed_out ? EXIT.timedOut : EXIT.expectation
}

/** Some editors write a file in several steps, so a change is acted on when nothing more has changed for this time. */
const SETTLED_MS = 100

async function keepRunning(session: Session, files: readonly string[], flags: RunFlags) {
  const { io, output } = session
  // A watcher of Node follows a file and not its name, and most editors put a new file in the place of the old one.
  const look = () => files.map((file) => stampOf(resolve(io.cwd, file))).join()
  let before = look()
  let last: string | undefined
  try {
    for (;;) {
      const now = look()
      if (now === before && now !== last) {
        last = now
        await runAll(session, files, flags).catch((error: unknown) => {
          if (io.signal.aborted || error instanceof Interrupted) throw error
          reportFailure(error, output)
        })
        output.note((paint) => paint.dim('waiting for a change …'))
      }
      before = now
      await sleep(SETTLED_MS, io.signal)
    }
  } catch (error) {
    if (!io.signal.aborted) throw error
  }
}

/** Differs when a file was changed or replaced. A run reports why a file cannot be read. */
function stampOf(file: string): string {
  try {
    const { ino, size, ctimeMs } = statSync(file)
    return `${ino} ${size} ${ctimeMs}`
  } catch {
    return 'none'
  }
}
