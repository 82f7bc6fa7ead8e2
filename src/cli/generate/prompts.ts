import { capitalised } from '../../words/sentence.ts'
import type { MissingField } from '../session/wizard.ts'
import type { Field } from './fields.ts'
import { namesOf, numberOf } from './flags.ts'

/** The question for a field; undefined for kinds that cannot be typed, such as JSON. */
export function promptFor(
  { name, kind, choices, description, required }: Field,
  flag: string,
): MissingField | undefined {
  const words = name.replaceAll('_', ' ')
  const message = `${capitalised(words)}? ${description}`.trim()
  const isOptional = !required
  const ask = (read?: MissingField['read'], options: readonly string[] | undefined = choices): MissingField => ({
    field: name,
    flag,
    question: { message, isOptional, ...(options ? { choices: options } : {}) },
    ...(read ? { read } : {}),
  })
  // Nested fields are given as options only.
  if (name.includes('.')) return undefined
  switch (kind) {
    case 'choice':
      return ask()
    case 'text':
      return ask((answer) => (answer === '' ? undefined : answer))
    case 'number':
      return ask((answer) => (answer === '' ? undefined : numberOf(answer)))
    case 'boolean':
    case 'flag':
      return ask((answer) => answer === 'yes', ['no', 'yes'])
    case 'list':
      return ask((answer) => namesOf(answer), undefined)
    case 'pairs':
    case 'json':
      return undefined
  }
}
