import * as registry from '../registry/api.ts'
import type { About } from '../words/about.ts'
import { type Field, fieldsOf } from './fields.ts'

/**
 * The fields of the body or query of every operation, by its id. The build keeps these as plain values
 * (scripts/build/baked.ts), so that no command takes schemas apart.
 */
export const forms: Readonly<Record<string, readonly Field[]>> = Object.fromEntries(
  registry.operations.map(({ id, body, query }) => [id, fieldsOf(body ?? query)]),
)

/** What the contracts say of their nouns, in the order of the registry. */
export const nouns: readonly About[] = registry.nouns
