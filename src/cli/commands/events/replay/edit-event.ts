import { jsonOr } from '../../../../words/json.ts'
import { valueAt } from '../../../../words/path.ts'
import { suggest } from '../../../../words/suggest.ts'
import { usage } from '../../../process/exit.ts'

type Fields = Record<string, unknown>

/** Changes fields of an event. The new bytes are signed again. */
export function editEvent(body: string, changes: Readonly<Record<string, string>>): string {
  const event = JSON.parse(body) as Fields
  for (const [path, text] of Object.entries(changes)) change(event, path, text)
  return JSON.stringify(event)
}

function change(event: Fields, path: string, text: string) {
  const steps = path.split('.')
  const last = steps.pop()!
  const here = valueAt(event, steps)
  if (!isFields(here) || !Object.hasOwn(here, last))
    throw usage(`--set: this event has no field ${path}${suggest(path, pathsOf(event, '')) || '.'}`)
  // A text field stays text; other values are parsed as JSON.
  here[last] = typeof here[last] === 'string' ? text : jsonOr(text, text)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const pathsOf = (fields: Fields, prefix: string): string[] =>
  Object.entries(fields).flatMap(([name, value]) => [
    `${prefix}${name}`,
    ...(isFields(value) ? pathsOf(value, `${prefix}${name}.`) : []),
  ])
