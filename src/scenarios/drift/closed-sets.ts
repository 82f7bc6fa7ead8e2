import { z } from 'zod'
import { operations } from '../../registry/api.ts'
import { innerName } from '../../words/field-name.ts'
import { lazilyFor } from '../../words/lazy.ts'
import type { Operation } from '../../words/operation.ts'

/** The values that the interface allows in fields of an answer, by path: `messages[].status`. */
export type ClosedSets = Readonly<Record<string, readonly unknown[]>>

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  choice?: true | 'values'
}

/** Closed sets that the interface states; what this sandbox has chosen may differ at a service. */
export function closedSetsOf(id: string): ClosedSets {
  const operation = operations.find((one) => one.id === id)
  return !operation || operation.media !== undefined || operation.choice ? {} : setsIn(operation)
}

/** Many probes call the same operation. */
const setsIn = lazilyFor((operation: Operation): ClosedSets => {
  const schema = z.toJSONSchema(operation.output, { unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>
  }
  const found: Record<string, readonly unknown[]> = {}
  const gather = (nested: Schema, path: string, depth: number) => {
    const one = nested.$ref ? { ...schema.$defs![nested.$ref.replace('#/$defs/', '')]!, ...nested } : nested
    if (depth > 6 || one.choice !== undefined) return
    const values = one.enum ?? (one.const === undefined ? undefined : [one.const])
    if (values) found[path] = values
    for (const option of one.anyOf ?? []) gather(option, path, depth + 1)
    if (one.items) gather(one.items, `${path}[]`, depth + 1)
    for (const [name, field] of Object.entries(one.properties ?? {})) gather(field, innerName(path, name), depth + 1)
  }
  gather(schema, '', 0)
  return found
})
