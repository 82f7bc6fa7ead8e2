import type { z } from 'zod'

/** Fields that the interface leaves open and this sandbox decided; the documents mark them. */
export const chosen = <S extends Record<string, z.ZodType>>(fields: S): S =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.meta({ choice: true })])) as S
