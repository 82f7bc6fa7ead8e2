import { z } from 'zod'
import { isRecord } from './json.ts'
import { unwrap } from './validate.ts'

/** Removes values that equal the schema's defaults, and orders fields as in the schema. */
export function sparse(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = branchOf(schema, value)
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => sparse(inner.element, item))
  if (!isRecord(value)) return value
  if (inner instanceof z.ZodRecord)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sparse(inner.valueType, item)]))
  if (!(inner instanceof z.ZodObject)) return value
  const kept = Object.entries(inner.shape).filter(
    ([key, field]) => value[key] !== undefined && !isFilledIn(field, value[key]),
  )
  return Object.fromEntries(kept.map(([key, field]) => [key, sparse(field, value[key])]))
}

/** The alternative of a union that accepts the value. */
function branchOf(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | undefined {
  const branches = unwrap(schema)
  return branches.length === 1 ? branches[0] : branches.find((branch) => z.safeParse(branch, value).success)
}

function isFilledIn(field: z.core.$ZodType, value: unknown): boolean {
  const filled = z.safeParse(field, undefined)
  if (!filled.success || filled.data === undefined) return false
  // A list that is much longer than the default is not checked entry by entry.
  if (Array.isArray(value) && value.length !== (filled.data as unknown[]).length) return false
  const parsed = z.safeParse(field, value)
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(filled.data)
}
