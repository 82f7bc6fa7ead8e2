import type { OperationId } from '../../client/answers.ts'
import type { Field } from './fields.ts'
import { forms } from './forms.ts'

export const formOf = (id: OperationId): readonly Field[] => forms[id]!

export function fieldOf(id: OperationId, name: string): Field {
  const field = formOf(id).find((one) => one.name === name)
  if (!field) throw new Error(`${id} takes no field ${name}`)
  return field
}
