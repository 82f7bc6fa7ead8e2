import type { OperationId } from '../../client/answers.ts'
import type { Field } from './fields.ts'
import { forms } from './forms.ts'

export const formOf = (id: OperationId): readonly Field[] => forms[id]!

export function fieldOf(id: OperationId, name: string): Field {
  const field = formOf(id).find((one) => one.name === name)
  if (!field) throw new Error(`${id} takes no field ${name}`)
  return field
}

/** The fields of an operation as words: `read_delay` is "read delay". */
export const wordsOf = (id: OperationId): Readonly<Record<string, string>> =>
  Object.fromEntries(formOf(id).map(({ name }) => [name, name.replaceAll('_', ' ')]))
