import { z } from 'zod'
import { problem } from '../words/problem.ts'
import { validate } from '../words/validate.ts'
import { ClockMode } from '../words/vocabulary.ts'
import type { Noun, Section } from './noun.ts'

export interface WorldFile {
  seed: string
  clock?: { mode: ClockMode; now?: string | undefined } | undefined
  /** Parsed content of each noun's section, by its key. */
  sections: Record<string, unknown>
  /** The database that the file makes on a frozen clock, for worlds that come with the package. */
  image?: Buffer | undefined
}

const head = {
  description: z.string().optional().describe('What this world is for.'),
  seed: z
    .string()
    .min(1)
    .max(100)
    .default('messaging-sandbox')
    .describe('Everything that happens by chance follows from it.'),
  clock: z
    .strictObject({
      mode: ClockMode.default('real'),
      now: z.iso.datetime().optional().describe('Where the clock starts; now if it is real, else 2026-01-01T00:00Z.'),
    })
    .optional(),
}

const sectionsOf = (nouns: readonly Noun[]): Section[] => nouns.flatMap((noun) => noun.sections ?? [])

/** The schema of a whole world file, put together from the sections that the nouns bring. */
export const worldFileSchema = (nouns: readonly Noun[]) =>
  z.strictObject({
    ...head,
    ...Object.fromEntries(sectionsOf(nouns).map(({ key, schema }) => [key, optional(schema)])),
  })

/** A section that has a default keeps it; any other may be left out. */
const optional = (schema: z.ZodType) => (schema.safeParse(undefined).success ? schema : schema.optional())

/** Checks the content of a world file; a fault names the field. */
export function parseWorldFile(content: unknown, nouns: readonly Noun[]): WorldFile {
  if (content === null || typeof content !== 'object')
    throw problem('validation_error', 'The world file must be a YAML mapping, such as "seed: demo".')
  const { seed, clock, description: _, ...sections } = validate(worldFileSchema(nouns), content, 'world file')
  return { seed, clock, sections }
}
