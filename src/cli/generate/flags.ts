import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Field } from './fields.ts'

/** `channel_type` → `--channel-type`; a nested field gives its last name only. */
export const flagName = (field: string) => `--${field.replace(/^.*\./, '').replaceAll('_', '-')}`

/** `--channel-type` → `channelType`, the name under which commander keeps the value. */
export const optionKey = (flag: string) =>
  flag.replace(/^--/, '').replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Adds an option for a field, with the field's description as its help. */
export function addFlag(command: Command, field: Field, flag = flagName(field.name)) {
  for (const option of optionsOf(field, flag)) command.addOption(option)
}

function optionsOf({ kind, choices, description, required }: Field, flag: string): Option[] {
  const said = required ? `${description} (required)`.trim() : description
  switch (kind) {
    case 'boolean':
      return [
        new Option(flag, `${said} (${flag.replace('--', '--no-')} for false)`.trim()),
        new Option(flag.replace('--', '--no-')).hideHelp(),
      ]
    case 'flag':
      return [new Option(flag, said)]
    case 'choice':
      return [new Option(`${flag} <value>`, said).choices(choices!)]
    case 'number':
      return [new Option(`${flag} <number>`, said).argParser(numberOf)]
    case 'list':
      return [listOption(`${flag} <value>`, `${said} (repeatable, or separated by commas)`.trim(), choices)]
    case 'pairs':
      return [new Option(`${flag} <key=value>`, `${said} (repeatable)`.trim()).argParser(addPair)]
    case 'json':
      return [new Option(`${flag} <json>`, said).argParser(jsonOf)]
    case 'text':
      return [new Option(`${flag} <text>`, said)]
  }
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
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
    const strange = items.find((item) => choices && !choices.includes(item))
    if (strange !== undefined) throw new InvalidArgumentError(`"${strange}" is none of ${choices!.join(', ')}.`)
    return [...before, ...items]
  })
}

export function numberOf(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.')
  return number
}

export function countOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function addPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined) throw new InvalidArgumentError('It must have the form key=value.')
  if (Object.hasOwn(before, key.trim())) throw new InvalidArgumentError(`"${key.trim()}" is given twice.`)
  return { ...before, [key.trim()]: value! }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(`It must be JSON: ${(error as Error).message}.`)
  }
}
