import { Refusal } from '../client/call.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { PatternFault } from '../waiting/pattern.ts'
import { redactThese, secretsIn } from '../words/redact.ts'
import { type EventReader, eventReader } from './events.ts'
import { StepFailure } from './failure.ts'
import type { Difference } from './match.ts'
import type { Scenario } from './parse.ts'
import type { Step, StepOf } from './schema.ts'
import { stepActions } from './steps.ts'
import { ask, type ScenarioTarget } from './target.ts'
import { fill, refuseTooLarge, short, UnresolvedReference } from './template.ts'

export interface StepOutcome {
  /** The step's title, or its operation: `messages.send`. */
  name: string
  file: string
  line: number
  column: number
  status: 'passed' | 'failed' | 'skipped'
  /** Machine ms. */
  duration_ms: number
  /** The reason of a failure or skip. */
  message?: string
  differences?: readonly Difference[]
  request_id?: string
  /** The message that the failure concerns; `sandbox explain` shows what happened to it. */
  message_id?: string
  /** What happened to that message last and why, in a sandbox. */
  explanation?: string
}

export interface ScenarioOutcome {
  name: string
  file: string
  target: 'emulator' | 'live'
  passed: boolean
  /** The failed step ran into a time limit. */
  timed_out: boolean
  duration_ms: number
  /** The steps that ran, in order; the first failure is the last. */
  steps: StepOutcome[]
  /** Variables at the end. */
  vars: Readonly<Record<string, unknown>>
}

export interface RunOptions extends ScenarioTarget {
  /** Replaces variables of the file. */
  vars?: Readonly<Record<string, unknown>>
  /** Called after each step. */
  onStep?: (step: StepOutcome) => void
}

/** Runs a scenario until a step fails. Problems of the service itself (unreachable, wrong key) are thrown. */
export async function runScenario(
  scenario: Scenario,
  { vars = {}, onStep = () => {}, ...target }: RunOptions,
): Promise<ScenarioOutcome> {
  const elapsed = stopwatch()
  const kind = target.isEmulator ? 'emulator' : 'live'
  const run: Run = {
    scenario,
    target,
    kind,
    events: await eventReader(target),
    vars: { target: kind },
    outcomes: [],
    secrets: new Set(),
    timedOut: false,
    onStep,
  }
  for (const [name, value] of Object.entries({ ...scenario.vars, ...vars }))
    assign(run, { [name]: fill(value, run.vars) })
  const passed = await runSteps(scenario.steps, run, '')
  const { name, file } = scenario
  return {
    name,
    file,
    target: kind,
    passed,
    timed_out: run.timedOut,
    duration_ms: Math.round(elapsed()),
    steps: run.outcomes,
    vars: withoutSecrets(run.vars, run) as Run['vars'],
  }
}

interface Run {
  scenario: Scenario
  target: ScenarioTarget
  kind: 'emulator' | 'live'
  events: EventReader
  vars: Record<string, unknown>
  outcomes: StepOutcome[]
  /** Texts that no outcome may show. */
  secrets: Set<string>
  timedOut: boolean
  onStep: (step: StepOutcome) => void
}

/** Returns whether all steps passed. `turn` is the iteration of a loop. */
async function runSteps(steps: readonly Step[], run: Run, turn: string): Promise<boolean> {
  for (const [i, step] of steps.entries())
    if (!(await runStep(step, run, turn))) {
      for (const later of steps.slice(i + 1))
        tell(run, later, turn, { status: 'skipped', duration_ms: 0, message: 'after a failure' })
      return false
    }
  return true
}

async function runStep(step: Step, run: Run, turn: string): Promise<boolean> {
  run.target.signal.throwIfAborted()
  if (step.on !== undefined && step.on !== run.kind) {
    tell(run, step, turn, { status: 'skipped', duration_ms: 0, message: `only ${step.on}` })
    return true
  }
  const elapsed = stopwatch()
  try {
    if ('steps' in step) return await takeInner(step, run, turn)
    assign(run, await perform(step, run))
    tell(run, step, turn, { status: 'passed', duration_ms: Math.round(elapsed()) })
    return true
  } catch (error) {
    const failure = failureOf(error)
    run.timedOut = failure.isTimeout
    const explanation = await explanationFor(run.target, failure.messageId)
    tell(run, step, turn, { ...reported(failure, elapsed()), ...explanation }, failure.field)
    return false
  }
}

const reported = ({ message, differences, requestId, messageId }: StepFailure, ms: number) => ({
  status: 'failed' as const,
  duration_ms: Math.round(ms),
  message,
  ...(differences.length > 0 ? { differences } : {}),
  ...(requestId === undefined ? {} : { request_id: requestId }),
  ...(messageId === undefined ? {} : { message_id: messageId }),
})

/** Read at once, because the sandbox of --fresh ends with its scenario. */
async function explanationFor(target: ScenarioTarget, id: string | undefined): Promise<{ explanation?: string }> {
  if (id === undefined || !target.isEmulator) return {}
  const { status, body } = await ask(target, 'messages.explain', { id })
  return status === 200 ? { explanation: (body as { summary: string }).summary } : {}
}

/** Errors that do not concern the scenario are thrown on. */
function failureOf(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error
  if (error instanceof PatternFault) return new StepFailure(error.message, { field: 'expect' })
  if (error instanceof UnresolvedReference) return new StepFailure(error.message, { field: '' })
  if (error instanceof Refusal && error.status !== 401) return new StepFailure(error.message, { field: '' })
  throw error
}

function perform({ path: _, ...step }: Exclude<Step, { steps: unknown }>, { vars, target, events, secrets }: Run) {
  // Paths in `save` hold no references.
  const filled = fill(step, vars) as { verb: keyof typeof stepActions }
  return stepActions[filled.verb](filled as never, {
    ...{ target, events },
    answered: (content) => remember(secrets, content),
  })
}

async function takeInner(step: Extract<Step, { steps: unknown }>, run: Run, turn: string): Promise<boolean> {
  if (step.verb === 'steps') return runSteps(step.steps, run, turn)
  const entries = entriesOf(step, run)
  for (const [i, entry] of entries.entries()) {
    if (step.as !== undefined) assign(run, { [step.as]: entry })
    if (!(await runSteps(step.steps, run, `${turn} (${i + 1} of ${entries.length})`))) return false
  }
  return true
}

function entriesOf(step: StepOf<'repeat'> | StepOf<'each'>, { vars }: Run): unknown[] {
  if (step.verb === 'each') {
    const list = fill(step.each, vars)
    if (Array.isArray(list)) return list
    throw new StepFailure(`each needs a list, and this is ${short(list)}`, { field: 'each' })
  }
  const times = Number(fill(step.repeat, vars))
  if (Number.isInteger(times) && times > 0 && times <= 10_000) return Array.from({ length: times }, (_, i) => i + 1)
  throw new StepFailure(`repeat needs a whole number from 1 to 10,000, and this is ${short(fill(step.repeat, vars))}`, {
    field: 'repeat',
  })
}

function tell(
  run: Run,
  step: Step,
  turn: string,
  outcome: Omit<StepOutcome, 'name' | 'file' | 'line' | 'column'>,
  field = '',
) {
  const { file, place } = run.scenario
  const full = {
    name: `${titleOf(step)}${turn}`,
    file,
    ...place([step.path, field].filter(Boolean).join('.')),
    ...outcome,
  }
  const shown = withoutSecrets(full, run) as StepOutcome
  run.outcomes.push(shown)
  run.onStep(shown)
}

function assign(run: Run, values: Record<string, unknown>) {
  for (const [name, value] of Object.entries(values)) refuseTooLarge(name, value)
  remember(run.secrets, values)
  Object.assign(run.vars, values)
}

function remember(secrets: Set<string>, content: unknown) {
  for (const secret of secretsIn(content)) secrets.add(secret)
}

/** Removes the secrets that answers and variables have contained, and all that look like one. */
function withoutSecrets(value: unknown, run: Run): unknown {
  if (typeof value === 'string') return redactThese(value, run.secrets)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, run))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, run)]))
}

/** The step's title, or its operation. */
export function titleOf(step: Step): string {
  if (step.name !== undefined) return step.name
  if (step.verb === 'call') return step.call
  if (step.verb === 'wait') return `wait for ${step.wait}`
  if (step.verb === 'advance') return `advance ${step.advance}`
  if (step.verb === 'carriers') return `carriers ${Object.keys(step.carriers).join(', ')}`
  if (step.verb === 'set') return `set ${Object.keys(step.set).join(', ')}`
  return step.verb === 'check' ? `check ${short(step.check)}` : step.verb
}
