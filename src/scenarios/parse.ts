import { mappingFault, refusedBy } from '../words/broken-fields.ts'
import { innerName } from '../words/field-name.ts'
import { isRecord } from '../words/json.ts'
import type { Detail } from '../words/problem.ts'
import { nearest } from '../words/suggest.ts'
import { validate } from '../words/validate.ts'
import { type FileFault, readYaml, refusalOf, type Yaml } from '../world/file/yaml.ts'
import { check } from './check.ts'
import type { Schedule } from './deliveries.ts'
import { hasSteps, operationIds, ScenarioTop, type Step, stepForms, type Verb, verbs } from './schema.ts'

/** A parsed scenario: its steps, and the place of each in its file. */
export interface Scenario {
  name: string
  description?: string | undefined
  /** The world that it needs (default: the default world). */
  world?: string | undefined
  /** The file's name in messages. */
  file: string
  vars: Readonly<Record<string, unknown>>
  steps: readonly Step[]
  /** The schedule by which an explored handler gets its events. */
  deliveries?: Schedule | undefined
  /** Line and column, from 1, of a path such as `steps[2].expect.status`, or of what is nearest to it. */
  place(path: string): { line: number; column: number }
}

/**
 * Reads a scenario file. Throws a Problem that tells all that is wrong in it at once, each as
 * `order.yaml:12:5: steps[3].call: there is no operation …`. `variables` names additional variables of the run;
 * `checkSteps` finds further faults.
 */
export function parseScenario(
  text: string,
  file: string,
  variables: readonly string[] = [],
  checkSteps: (steps: readonly Step[]) => readonly Detail[] = () => [],
): Scenario {
  const yaml = readYaml(text)
  // Text after the first syntax fault is misread because of it.
  const [syntax] = yaml.faults
  if (syntax) throw refusalOf(file, [withHint(syntax, text)])
  const details: Detail[] = []
  const noMapping = mappingFault(yaml.content, 'steps: [{ call: messages.list }]')
  if (noMapping) throw refusalOf(file, yaml.placed([noMapping]))
  const top = attempt(details, '', () => validate(ScenarioTop, yaml.content, 'scenario'))
  const steps = top ? stepsIn(top.steps, 'steps', details) : []
  if (top) details.push(...shortenedTexts({ vars: top.vars, steps: top.steps }, yaml))
  if (top && details.length === 0) details.push(...check({ ...top, steps }, variables), ...checkSteps(steps))
  if (!top || details.length > 0) throw refusalOf(file, yaml.placed(details))
  const name = top.name ?? file.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/, '')
  return { ...top, name, file, steps, place: placeIn(yaml) }
}

/** In braces and brackets YAML takes `${name}` for the beginning of another pair of braces. */
function withHint(fault: FileFault, text: string): FileFault {
  const isReference = text.split('\n')[fault.line - 1]?.includes('${')
  return isReference
    ? { ...fault, message: `${fault.message}; between braces write $name, or "\${name}" in quotes` }
    : fault
}

/** A phone number or a code that YAML reads as a number has lost its plus sign or its leading zeros. */
const shortenedTexts = (content: unknown, yaml: Yaml): Detail[] =>
  numbersIn(content, '')
    .filter((field) => /^(\+|0)\d+$/.test(yaml.sourceOf(field) ?? ''))
    .map((field) => ({ field, code: 'invalid_type', message: 'must be a string' }))

function numbersIn(value: unknown, path: string): string[] {
  if (typeof value === 'number') return [path]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    numbersIn(inner, innerName(path, Array.isArray(value) ? Number(key) : key)),
  )
}

const placeIn =
  ({ placed }: Yaml) =>
  (field: string) => {
    const [{ line, column } = { line: 1, column: 1 }] = placed([{ field, code: '', message: '' }])
    return { line, column }
  }

function stepsIn(raw: readonly unknown[], path: string, details: Detail[]): Step[] {
  return raw.flatMap((one, i) => {
    const step = stepIn(one, `${path}[${i}]`, details)
    return step ? [step] : []
  })
}

function stepIn(raw: unknown, path: string, details: Detail[]): Step | undefined {
  const verb = verbOf(raw, path, details)
  if (verb === undefined) return undefined
  const fields = attempt(details, path, () => validate(stepForms[verb], raw, 'step'))
  if (!fields) return undefined
  const inner = hasSteps(verb) ? { steps: stepsIn((raw as { steps: unknown[] }).steps, `${path}.steps`, details) } : {}
  return { ...fields, ...inner, verb, path } as unknown as Step
}

/** `repeat` and `each` have steps too, so they come first. */
function verbOf(raw: unknown, path: string, details: Detail[]): Verb | undefined {
  const keys = isRecord(raw) ? Object.keys(raw) : []
  const [verb, other] = verbs.filter((one) => keys.includes(one) && !(one === 'steps' && keys.some(isLoop)))
  if (verb !== undefined && other === undefined) return verb
  details.push(
    other
      ? { field: path, code: 'conflict', message: `has two actions, ${verb} and ${other}: split it into two steps` }
      : { field: path, code: 'required', message: `has no action: ${insteadOf(raw, keys)}` },
  )
  return undefined
}

/** What to write for an unknown action: the word of a command, an operation without "call", a misspelt action. */
function insteadOf(raw: unknown, keys: readonly string[]): string {
  const words = typeof raw === 'string' ? [raw] : keys.filter((key) => !NOT_ACTIONS.includes(key))
  for (const word of words) {
    const near = nearest(word, verbs)
    if (near !== undefined) return `did you mean "${near}"?`
    const action = ACTION_OF[word] ?? (isOperation(word) ? `call: ${word}` : undefined)
    if (action !== undefined) return `for "${word.slice(0, 100)}" write "${action}"`
  }
  const which = words.length > 0 ? `"${words[0]!.slice(0, 100)}" is unknown; ` : ''
  return `${which}use one of ${verbs.join(', ')}`
}

/** Fields of actions, which say less about the one that was meant. */
const NOT_ACTIONS = ['name', 'on', 'with', 'where', 'save', 'within', 'as']

const isOperation = (word: string) => operationIds.includes(word)

/** The words of commands and of other tools. */
const ACTION_OF: Readonly<Record<string, string>> = {
  send: 'call: messages.send',
  expect: 'wait: message.delivered',
  sleep: 'advance: 5s',
  delay: 'advance: 5s',
  assert: 'check: $variable',
}

const isLoop = (key: string) => key === 'repeat' || key === 'each'

/** Reads a value, or adds what is refused to `details`. */
function attempt<T>(details: Detail[], path: string, read: () => T): T | undefined {
  let value: T | undefined
  details.push(
    ...refusedBy(() => {
      value = read()
    }, path),
  )
  return value
}
