import { z } from 'zod'

/** Refuses a change without fields, unless an unknown field is the more useful fault. */
export const requireChange = <S extends z.ZodObject>(schema: S): S =>
  schema
    .refine((change) => Object.keys(change).length > 0, {
      error: 'pass at least one field to change',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })

type Settings = Readonly<Record<string, z.ZodOptional<z.ZodType>>>
type Clearable<S extends Settings> = { [F in keyof S]: z.ZodOptional<z.ZodNullable<ReturnType<S[F]['unwrap']>>> }

/** Fields of a change: null removes one. */
export const clearable = <S extends Settings>(settings: S): Clearable<S> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [
      name,
      (field.unwrap() as z.ZodType)
        .nullable()
        .optional()
        .describe(field.description ?? (field.unwrap() as z.ZodType).description ?? ''),
    ]),
  ) as Clearable<S>

/** The schema of a change: every field is optional, and null removes it. */
export const changeOf = <S extends Settings>(settings: S) => requireChange(z.strictObject(clearable(settings)))
