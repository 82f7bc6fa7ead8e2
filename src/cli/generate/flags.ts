import { type Command, InvalidArgumentError, Option } from 'commander'
import { strictJson } from '../../words/strict-json.ts'
import { parserOf, wholeNumber } from '../process/parser-of.ts'
import type { Field } from './fields.ts'

/** `channel_type` → `--channel-type`; a nested field gives its last name only. */
export const flagName = (field: string) => `--${field.replace(/^.*\./, '').replaceAll('_', '-')}`

/** `--channel-type` → `channelType`, the name under which commander keeps the value. */
export const optionKey = (flag: string) =>
  flag.replace(/^--/, '').replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Adds an option for a field, with the field's description as its help. One that is an argument too is not shown. */
export function addFlag(
  command: Command,
  field: Field,
  {
    flag = flagName(field.name),
    isArgument = false,
  }: { flag?: string | undefined; isArgument?: boolean | undefined } = {},
) {
  for (const option of optionsOf(field, flag)) command.addOption(isArgument ? option.hideHelp() : option)
}

function optionsOf({ name, kind, value, choices, description, required }: Field, flag: string): Option[] {
  const about = [description, ...(required ? ['(required)'] : [])].join(' ').trim()
  switch (kind) {
    case 'boolean':
      return [
        new Option(flag, `${about} (${flag.replace('--', '--no-')} for false)`.trim()),
        new Option(flag.replace('--', '--no-')).hideHelp(),
      ]
    case 'flag':
      return [new Option(flag, about)]
    case 'choice':
      return [new Option(`${flag} <value>`, about).choices(choices!)]
    case 'number':
      return [new Option(`${flag} <number>`, about).argParser(numberOf)]
    case 'list':
      return [listOption(`${flag} <values>`, `${about} (repeatable, or a,b)`.trim(), choices)]
    case 'pairs':
      return [new Option(`${flag} <key=value>`, `${about} (repeatable)`.trim()).argParser(addPair)]
    case 'json':
      return [new Option(`${flag} <json>`, about).argParser(jsonOf)]
    case 'text':
      return [new Option(`${flag} <${value ?? valueNameOf(name, about)}>`, about)]
  }
}

/** The name of a text value in help, by the name of its field, where neither its example nor its description decides. */
const VALUE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(limit|offset|seq|index|points)$/, 'number'],
  [/^month$/, 'month'],
  [/^share$/, 'share'],
  [/^(after|before)$/, 'position'],
  [/(^|_)id$|^cursor$/, 'id'],
  [/(^|_)url$|^website$/, 'url'],
  [/^(phone|email|to)$/, 'address'],
  [/(_at|_from|_to)$|^(since|from|until|now)$/, 'time'],
  [/(_delay|_in)$|^(ttl|by|within|latency|window|duration)$/, 'duration'],
]

function valueNameOf(field: string, about: string): string {
  const [, stated] = /^(id|name) of /.exec(about) ?? []
  if (stated) return stated
  if (/ ISO 8601/.test(about)) return 'time'
  const name = field.replace(/^.*\./, '')
  return VALUE_NAMES.find(([form]) => form.test(name))?.[1] ?? 'text'
}

/** Collects the values of a repeatable option. */
export const repeated =
  <T>(read: (text: string) => T) =>
  (text: string, before: T[] = []) => [...before, read(text)]

/** Collects names that are repeated or separated by commas. */
export const namesOf = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
]

function listOption(flags: string, description: string, choices: readonly string[] | undefined): Option {
  const option = new Option(flags, choices ? `${description} (${choices.join(', ')})` : description)
  return option.argParser<string[]>((text, before = []) => {
    const items = namesOf(text)
    const unknown = items.find((item) => choices && !choices.includes(item))
    if (unknown !== undefined)
      throw new InvalidArgumentError(`"${unknown}" is unknown. Allowed values: ${choices!.join(', ')}.`)
    return [...before, ...items]
  })
}

export const numberOf = parserOf(
  (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  'It must be a number.',
)

export const countOf = wholeNumber(0, 999_999_999_999_999, 'It must be a whole number.')

export function addPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined) throw new InvalidArgumentError('It must have the form key=value.')
  if (Object.hasOwn(before, key.trim())) throw new InvalidArgumentError(`"${key.trim()}" is given twice.`)
  return { ...before, [key.trim()]: value! }
}

export function jsonOf(text: string): unknown {
  try {
    return strictJson(text)
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`)
  }
}
