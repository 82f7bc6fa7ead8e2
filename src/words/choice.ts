import type { z } from 'zod'

/** Marks fields that the interface leaves open and this sandbox decided; the documents show the mark. */
export const markChosen = <S extends Record<string, z.ZodType>>(fields: S): S =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.meta({ choice: true })])) as S
