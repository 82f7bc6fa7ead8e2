import type { z } from 'zod'

/** A change that changes nothing is a mistake. Where a field is unknown, that is the one to tell of. */
export const someChange = <S extends z.ZodObject>(schema: S): S =>
  schema.refine((change) => Object.keys(change).length > 0, {
    error: 'give at least one field to change',
    when: ({ issues }) => issues.length === 0,
  })
