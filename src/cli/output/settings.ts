import type { AnswerTo } from '../../client/answers.ts'
import type { Paint } from './paint.ts'

/** The fields that handsets and mailboxes have in common. */
type DeviceSettings = Pick<AnswerTo<'handsets.show'> | AnswerTo<'mailboxes.show'>, 'from' | 'overridden' | 'does'>

type Words = Readonly<Record<string, string>>

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null ? 'no' : String(value)
}

/** Prints one line for each setting with its origin, then the settings without effect. */
export function linesOf(name: string, owned: DeviceSettings, words: Words, paint: Paint): string[] {
  const values = owned as unknown as Record<string, unknown>
  const shown = Object.keys(words).filter((field) => values[field] !== null || owned.from[field])
  const width = Math.max(...shown.map((field) => words[field]!.length))
  const by = (field: string) => (owned.from[field] ? paint.dim(`  (${owned.from[field]})`) : '')
  return [
    paint.bold(name) + (owned.does ? paint.dim(`  magic recipient: ${owned.does}`) : ''),
    ...shown.map((field) => `  ${paint.dim(words[field]!.padEnd(width))}  ${inWords(values[field])}${by(field)}`),
    ...overriddenLines(owned, words, paint),
  ]
}

const overriddenLines = ({ overridden }: DeviceSettings, words: Words, paint: Paint): string[] =>
  overridden.length === 0
    ? []
    : [
        paint.yellow(
          `set, but without effect on this magic recipient: ${overridden.map((field) => words[field]).join(', ')}`,
        ),
      ]

/** One handset or mailbox of a list: its name, and the settings that were changed. */
export const lineOf = (name: string, owned: DeviceSettings, words: Words, paint: Paint): string =>
  `${name}  ${settingsInWords(owned, words) || paint.dim('without effect')}`

/** The settings that were changed. */
export const settingsInWords = (owned: DeviceSettings, words: Words): string =>
  Object.keys(words)
    .filter((field) => owned.from[field] && owned.from[field] !== 'magic recipient')
    .map((field) => `${words[field]}: ${inWords((owned as unknown as Record<string, unknown>)[field])}`)
    .join(', ')
