import { suggest } from '../../../words/near.ts'
import { usage } from '../../process/exit.ts'

type Fields = Record<string, unknown>

/** The event with some of its fields changed: other bytes, which are signed as they are then. */
export function edited(body: string, changes: Readonly<Record<string, string>>): string {
  const event = JSON.parse(body) as Fields
  for (const [path, text] of Object.entries(changes)) change(event, path, text)
  return JSON.stringify(event)
}

function change(event: Fields, path: string, text: string) {
  const steps = path.split('.')
  const last = steps.pop()!
  let here: unknown = event
  for (const step of steps) here = isFields(here) && Object.hasOwn(here, step) ? here[step] : undefined
  if (!isFields(here) || !Object.hasOwn(here, last))
    throw usage(`--set: this event has no field ${path}${suggest(path, pathsOf(event, ''))}.`)
  here[last] = meant(text, here[last])
}

/** What was text stays text; else a number, true, null or an object may be meant. */
function meant(text: string, before: unknown): unknown {
  if (typeof before === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const pathsOf = (fields: Fields, prefix: string): string[] =>
  Object.entries(fields).flatMap(([name, value]) => [
    `${prefix}${name}`,
    ...(isFields(value) ? pathsOf(value, `${prefix}${name}.`) : []),
  ])
