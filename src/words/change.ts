import { z } from 'zod'

/** A change that changes nothing is a mistake. Where a field is unknown, that is the one to tell of. */
export const someChange = <S extends z.ZodObject>(schema: S): S =>
  schema
    .refine((change) => Object.keys(change).length > 0, {
      error: 'give at least one field to change',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })

type Settings = Readonly<Record<string, z.ZodOptional<z.ZodType>>>
type Clearable<S extends Settings> = { [F in keyof S]: z.ZodOptional<z.ZodNullable<ReturnType<S[F]['unwrap']>>> }

/** A change of settings that may all be left out: null takes one away. */
export const changeOf = <S extends Settings>(settings: S) =>
  someChange(
    z.strictObject(
      Object.fromEntries(
        Object.entries(settings).map(([name, field]) => [
          name,
          (field.unwrap() as z.ZodType)
            .nullable()
            .optional()
            .describe(field.description ?? (field.unwrap() as z.ZodType).description ?? ''),
        ]),
      ) as Clearable<S>,
    ),
  )
