import { z } from 'zod'
import { Instant } from '../words/instant.ts'
import { ClockFactor, factorGoesWithScaled } from '../words/pace.ts'
import { type Detail, Problem, problem } from '../words/problem.ts'
import { brokenFields, validate } from '../words/validate.ts'
import { ClockMode } from '../words/vocabulary.ts'
import { collect } from './entries.ts'
import type { Noun, Section } from './noun.ts'
import type { World } from './world.ts'

export interface WorldFile {
  seed: string
  clock?: { mode: ClockMode; factor?: number | undefined; now?: string | undefined } | undefined
  /** Parsed content of each noun's section, by its key. */
  sections: Record<string, unknown>
  /** The database that the file makes on a frozen clock, for worlds that come with the package. */
  image?: Buffer | undefined
  /** The name of a world of the package, or the path of the file: what a data folder remembers its worlds by. */
  origin?: string | undefined
  /** Tells of faults that show when it is loaded by their lines, where it was read from a text. */
  told?: ((details: readonly Detail[]) => Problem) | undefined
}

const head = {
  $schema: z.string().optional().describe('For editors: where the JSON Schema of world files lies.'),
  description: z.string().optional().describe('What this world is for.'),
  seed: z
    .string()
    .min(1)
    .max(100)
    .default('messaging-sandbox')
    .describe('Everything that happens by chance follows from it.'),
  clock: z
    .strictObject({
      mode: ClockMode.default('real').describe('How time passes.'),
      factor: ClockFactor.optional(),
      now: Instant.optional().describe(
        'Where the clock starts. Else one that runs (real, scaled) starts now, one that stands (frozen, auto) at 2026-01-01T00:00Z.',
      ),
    })
    .check(factorGoesWithScaled)
    .optional()
    .describe('How time passes, and where it starts.'),
}

export const sectionsOf = (nouns: readonly Noun[]): Section[] => nouns.flatMap((noun) => noun.sections ?? [])

/** The schema of a whole world file, put together from the sections that the nouns bring. */
export const worldFileSchema = (sections: readonly Section[]) =>
  z.strictObject({
    ...head,
    ...Object.fromEntries(sections.map(({ key, schema }) => [key, optional(schema)])),
  })

/** A section that has a default keeps it; any other may be left out. */
const optional = (schema: z.ZodType) =>
  schema.safeParse(undefined).success ? schema : schema.optional().describe(schema.description ?? '')

/** Checks the content of a world file; a fault names the field. */
export function parseWorldFile(content: unknown, nouns: readonly Noun[]): WorldFile {
  if (content === null || typeof content !== 'object' || Array.isArray(content))
    throw brokenFields(
      [
        {
          field: '',
          code: 'invalid_type',
          message: `${content === null ? 'is empty; it' : 'it'} must be a YAML mapping, such as "seed: demo"`,
        },
      ],
      'world file',
    )
  const {
    seed,
    clock,
    description: _,
    $schema: __,
    ...sections
  } = validate(worldFileSchema(sectionsOf(nouns)), content, 'world file')
  return { seed, clock, sections }
}

/** Makes rows of all sections, in the order of the nouns. What does not fit together is told all at once. */
export function loadSections(world: World, file: WorldFile, nouns: readonly Noun[]) {
  const { sections, told } = file
  claimIds(world, sections)
  try {
    collect(
      sectionsOf(nouns)
        .filter(({ key }) => sections[key] !== undefined)
        .map(
          ({ key, load }) =>
            () =>
              load(world, sections[key]),
        ),
    )
  } catch (error) {
    throw error instanceof Problem && told ? told(error.details) : error
  }
}

/** Ids of the file may have been made by a world of the same seed. What is made from now on is none of them. */
function claimIds(world: World, value: unknown) {
  if (typeof value === 'string') world.claimId(value)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) claimIds(world, item)
}

/** A file that is no world file for a reason that lies on no line of it. */
export const unreadable = (file: string, message: string): Problem =>
  problem('validation_error', `${file}: ${message}.`, {
    details: [{ field: '', code: 'unreadable', message }],
    file,
  })
