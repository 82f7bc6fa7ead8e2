import { z } from 'zod'

/** An example of an object, made of those of its fields. A field that may be missing is part of it only with an example. */
export const exampleOf = (fields: Readonly<Record<string, z.ZodType>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, exampleIn(field)])
      .filter(([, example]) => example !== undefined),
  )

function exampleIn(field: z.ZodType): unknown {
  const example = field.meta()?.example
  if (example !== undefined) return example
  if (field instanceof z.ZodLiteral) return field.value
  return field instanceof z.ZodNullable ? null : undefined
}
