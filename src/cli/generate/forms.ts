import { operations } from '../../registry/api.ts'
import { type Field, fieldsOf } from './fields.ts'

/**
 * The fields of the body or query of every operation, by its id. The build keeps these as plain values
 * (scripts/build/baked.ts), so that no command takes schemas apart.
 */
export const forms: Readonly<Record<string, readonly Field[]>> = Object.fromEntries(
  operations.map(({ id, body, query }) => [id, fieldsOf(body ?? query)]),
)
