import { Refusal } from '../client/call.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { PatternFault } from '../waiting/pattern.ts'
import { nameWithin } from '../words/field-name.ts'
import { redactThese, secretsIn } from '../words/redact.ts'
import { mapTexts } from '../words/texts.ts'
import type { FileFault } from '../world/file/yaml.ts'
import { type EventReader, eventReader } from './events.ts'
import { StepFailure } from './failure.ts'
import type { Difference } from './match.ts'
import type { Scenario } from './parse.ts'
import type { Step, StepOf } from './schema.ts'
import { stepActions } from './steps.ts'
import { ask, type ScenarioTarget } from './target.ts'
import { fill, refuseTooLarge, short, UnresolvedReference } from './template.ts'
import { namedIn, recordOfEvent } from './watched-records.ts'

export interface StepOutcome {
  /** The step's title, or its operation: `messages.send`. */
  name: string
  file: string
  line: number
  column: number
  /** An error is no verdict on the step: the service was not reached, or the run was interrupted. */
  status: 'passed' | 'failed' | 'error' | 'skipped'
  /** Machine ms. */
  duration_ms: number
  /** The reason of a failure, an error or a skip. */
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
  /** The steps in order; those after a failure are skipped. */
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

/** A run that ended for a reason outside of its scenario: service unreachable, wrong key, interrupted. */
export class RunAborted extends Error {
  /** What ran before. */
  readonly outcome: ScenarioOutcome

  constructor(outcome: ScenarioOutcome, cause: unknown) {
    super(reasonOf(cause), { cause })
    this.name = 'RunAborted'
    this.outcome = outcome
  }
}

/** An aborted signal throws its reason, which is text. */
const reasonOf = (error: unknown) => (typeof error === 'string' ? error : (error as Error).message)

/** The outcome of a scenario that did not start; with an error, its first step has it. */
export function unstartedOutcome(
  scenario: Scenario,
  kind: ScenarioOutcome['target'],
  error?: unknown,
): ScenarioOutcome {
  const { name, file, steps, vars, place } = scenario
  return {
    ...{ name, file, target: kind, passed: false, timed_out: false, duration_ms: 0, vars },
    steps: steps.map((step, i) => ({
      ...{ name: titleOf(step), file, ...place(step.path), duration_ms: 0 },
      ...(i === 0 && error !== undefined
        ? { status: 'error' as const, message: reasonOf(error) }
        : { status: 'skipped' as const, message: 'the run ended before' }),
    })),
  }
}

export function unreadOutcome(file: string, error: unknown): ScenarioOutcome {
  const { line = 1, column = 1 } = ((error as { details?: FileFault[] }).details ?? [])[0] ?? {}
  const step = { name: 'read the file', file, line, column, status: 'error' as const, duration_ms: 0 }
  return {
    ...{ name: file, file, target: 'emulator', passed: false, timed_out: false, duration_ms: 0, vars: {} },
    steps: [{ ...step, message: reasonOf(error) }],
  }
}

/** Runs a scenario until a step fails. Throws {@link RunAborted} if it cannot go on for another reason. */
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
    abortedBy: undefined,
    onStep,
  }
  for (const [name, value] of Object.entries({ ...scenario.vars, ...vars }))
    assign(run, { [name]: fill(value, run.vars) })
  const passed = await runSteps(scenario.steps, run, '')
  const { name, file } = scenario
  const outcome: ScenarioOutcome = {
    name,
    file,
    target: kind,
    passed,
    timed_out: run.timedOut,
    duration_ms: Math.round(elapsed()),
    steps: run.outcomes,
    vars: withoutSecrets(run.vars, run) as Run['vars'],
  }
  if (run.abortedBy) throw new RunAborted(outcome, run.abortedBy.error)
  return outcome
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
  abortedBy: { error: unknown } | undefined
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
  if (step.on !== undefined && step.on !== run.kind) {
    tell(run, step, turn, { status: 'skipped', duration_ms: 0, message: `only ${step.on}` })
    return true
  }
  const elapsed = stopwatch()
  try {
    run.target.signal.throwIfAborted()
    if ('steps' in step) return await takeInner(step, run, turn)
    assign(run, await perform(step, run))
    tell(run, step, turn, { status: 'passed', duration_ms: Math.round(elapsed()) })
    return true
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) {
      run.abortedBy = { error }
      const { aborted, reason } = run.target.signal
      const message = aborted ? `interrupted by ${reason}` : reasonOf(error)
      tell(run, step, turn, { status: 'error', duration_ms: Math.round(elapsed()), message })
      return false
    }
    run.timedOut = failure.isTimeout
    const explanation = await explanationFor(run.target, failure)
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
async function explanationFor(target: ScenarioTarget, failure: StepFailure): Promise<{ explanation?: string }> {
  if (!target.isEmulator) return {}
  const { messageId, wait } = failure
  // The failure counts, even if nothing answers after it.
  const read = async (call: string, id: unknown) => {
    const answer = id === undefined ? undefined : await ask(target, call, { id }).catch(() => undefined)
    return answer?.status === 200 ? (answer.body as { summary: string; status: string }) : undefined
  }
  const explained = await read('messages.explain', messageId)
  if (explained) return { explanation: explained.summary }
  const watched = wait && recordOfEvent(wait.wait)
  const record = watched && (await read(watched.call, namedIn(wait.where, watched.by)))
  return record ? { explanation: `The ${watched!.by.replace('_id', '')} is ${record.status}.` } : {}
}

/** Undefined for errors that do not concern the scenario. */
function failureOf(error: unknown): StepFailure | undefined {
  if (error instanceof StepFailure) return error
  if (error instanceof PatternFault) return new StepFailure(error.message, { field: 'expect' })
  if (error instanceof UnresolvedReference) return new StepFailure(error.message, { field: '' })
  if (error instanceof Refusal && error.status !== 401) return new StepFailure(error.message, { field: '' })
  return undefined
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
  if (entries.length === 0) tell(run, step, turn, { status: 'skipped', duration_ms: 0, message: 'the list is empty' })
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
    ...place(nameWithin(step.path, field)),
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
const withoutSecrets = (value: unknown, { secrets }: Run): unknown =>
  mapTexts(value, (text) => redactThese(text, secrets))

export function titleOf(step: Step): string {
  if (step.name !== undefined) return step.name
  if (step.verb === 'call') return step.call
  if (step.verb === 'wait') return `wait for ${step.wait}`
  if (step.verb === 'advance') return `advance ${step.advance}`
  if (step.verb === 'carriers') return `carriers ${Object.keys(step.carriers).join(', ')}`
  if (step.verb === 'set') return `set ${Object.keys(step.set).join(', ')}`
  return step.verb === 'check' ? `check ${short(step.check)}` : step.verb
}
