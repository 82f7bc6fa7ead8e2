import type { Scenario } from '../../../scenarios/parse.ts'
import { type ScenarioOutcome, type StepOutcome, titleOf } from '../../../scenarios/run.ts'
import type { Step } from '../../../scenarios/schema.ts'
import { type Obstacle, obstacle } from '../../../scenarios/target.ts'
import { quantity } from '../../../words/number-text.ts'
import { shellPath } from '../../../words/shell.ts'
import type { Output } from '../../output/output.ts'
import { printable } from '../../output/printable.ts'
import { type Fault, misconfigured } from '../../process/exit.ts'

/** People see each step as it ends; programs get all steps with the outcome. */
export function tellStep(
  output: Output,
  { name, status, file, line, message, request_id, message_id, explanation }: StepOutcome,
  isStillThere: boolean,
) {
  output.note((paint) => {
    if (status === 'passed') return `  ${paint.green('✓')} ${printable(name)}`
    if (status === 'skipped') return paint.dim(`  – ${printable(name)} (${message})`)
    const request =
      request_id === undefined
        ? ''
        : `\n    ${paint.dim(`request ${request_id}`)}${isStillThere ? paint.dim(`: ${output.withProgramName(`sandbox logs show ${request_id}`)}`) : ''}`
    const summary = explanation === undefined ? '' : `\n    What happened: ${printable(explanation)}`
    const why =
      message_id === undefined || !isStillThere
        ? summary
        : `${summary}\n    ${paint.dim(`To see more: ${paint.command(`explain ${printable(message_id)}`)}`)}`
    return `  ${paint.red('✗')} ${printable(name)}\n    ${printable(`${file}:${line}: ${message ?? ''}`)}${request}${why}`
  })
}

export function tellOutcome(output: Output, outcome: ScenarioOutcome) {
  const hasError = outcome.steps.some(({ status }) => status === 'error')
  output.item(outcome, (paint, { passed, steps, duration_ms }) => {
    const count = steps.filter(({ status }) => status === 'passed').length
    const sum = `${quantity(count, 'steps')} passed${passed ? '' : hasError ? ', then the run ended' : ', one failed'} in ${(duration_ms / 1000).toFixed(1)} s`
    return passed ? `${paint.green('✓')} ${sum}` : `${paint.red('✗')} ${sum}`
  })
}

/** Warns of a scenario whose world is not that of the sandbox, which the run does not change. */
export function warnOtherWorld(output: Output, { file, world }: Scenario, actual: string) {
  const message = `${file} needs the world ${world}, and the world of the sandbox was made from ${actual}.`
  const hint = `For a sandbox with its world: sandbox run --fresh ${shellPath(file)}`
  output.warn({ warning: 'other_world', message, hint })
}

interface Planned {
  name: string
  does: string
  line: number
  on: string
  steps?: Planned[]
}

/** Prints the steps of --dry-run. */
export function tellPlan(output: Output, scenario: Scenario) {
  const steps = scenario.steps.map((step) => planned(step, scenario, 'any'))
  const { name, file, vars } = scenario
  output.item({ name, file, vars, steps }, (paint) =>
    [paint.bold(printable(name)), ...steps.flatMap((step) => lines(step, '  '))].join('\n'),
  )
}

/** `onAround` is where the group of the step runs. */
function planned(step: Step, scenario: Scenario, onAround: string): Planned {
  const on = step.on ?? (obstacle(step) === undefined ? onAround : 'emulator')
  return {
    name: titleOf(step),
    does: step.verb,
    line: scenario.place(step.path).line,
    on,
    ...('steps' in step ? { steps: step.steps.map((inner) => planned(inner, scenario, on)) } : {}),
  }
}

const lines = ({ name, does, line, on, steps = [] }: Planned, indent: string): string[] => [
  `${indent}${String(line).padStart(3)}  ${printable(name)}${name.startsWith(does) ? '' : ` (${does})`}${on === 'any' ? '' : `, only ${on}`}`,
  ...steps.flatMap((step) => lines(step, `${indent}  `)),
]

/** Refuses a scenario that the service cannot carry out. */
export function unsuited({ file, place }: Scenario, obstacles: readonly Obstacle[], baseUrl: string): Fault {
  const lines = obstacles.map(({ path, message }) => `${file}:${place(path).line}: ${message}`)
  return misconfigured(
    `${baseUrl} is not a sandbox, and the scenario needs one: ${lines.join('; ')}.`,
    'Nothing was sent. Mark these steps with "on: emulator", or run it against a sandbox.',
  )
}
