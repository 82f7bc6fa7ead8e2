import { operations } from '../../registry/api.ts'
import { type Field, fieldsOf } from './fields.ts'

/**
 * The fields of each operation's body or query. The build replaces them by plain values (scripts/build/baked.ts), so
 * that no command loads schemas.
 */
export const forms: Readonly<Record<string, readonly Field[]>> = Object.fromEntries(
  operations.map(({ id, body, query }) => [id, fieldsOf(body ?? query)]),
)

/** A complete body of each operation that takes one, for its help; the build replaces them too. */
export const bodyExamples: Readonly<Record<string, unknown>> = Object.fromEntries(
  operations.flatMap(({ id, body, examples }) => (body && examples[0] !== undefined ? [[id, examples[0]]] : [])),
)
