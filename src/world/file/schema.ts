import { z } from 'zod'
import { brokenFields, mappingFault } from '../../words/broken-fields.ts'
import { withRules } from '../../words/field-conditions.ts'
import { StartInstant } from '../../words/instant.ts'
import { ClockFactor, factorRules } from '../../words/pace-fields.ts'
import { MAX_SEED_LENGTH } from '../../words/seed.ts'
import { validate } from '../../words/validate.ts'
import { ClockMode } from '../../words/vocabulary.ts'
import { sectionsOf } from '../combined-nouns.ts'
import type { Noun, Section } from '../noun.ts'
import type { WorldFile } from './world-file.ts'

const head = {
  $schema: z.string().optional().describe('Path or URL of the JSON Schema of world files, for editors.'),
  description: z.string().optional().describe('Description of the world.'),
  seed: z.string().min(1).max(MAX_SEED_LENGTH).default('messaging-sandbox').describe('Seed of all random decisions.'),
  clock: withRules(
    z.strictObject({
      mode: ClockMode.default('real').describe('Mode of the clock.'),
      factor: ClockFactor.optional(),
      now: StartInstant.optional().describe(
        'Start time of the clock (default: now for real and scaled, 2026-01-01T00:00Z for frozen and auto).',
      ),
    }),
    ...factorRules,
  )
    .optional()
    .describe('Mode and start time of the clock.'),
}

/** Combines the sections of all nouns into the schema of a world file. */
export const worldFileSchema = (sections: readonly Section[]) =>
  z.strictObject({
    ...head,
    ...Object.fromEntries(sections.map(({ key, schema }) => [key, optional(schema)])),
  })

/** Sections with a default keep it; others are optional. */
const optional = (schema: z.ZodType) =>
  schema.safeParse(undefined).success ? schema : schema.optional().describe(schema.description ?? '')

export function parseWorldFile(content: unknown, nouns: readonly Noun[]): WorldFile {
  const fault = mappingFault(content, 'seed: demo')
  if (fault) throw brokenFields([fault], 'world file')
  const {
    seed,
    clock,
    description: _,
    $schema: __,
    ...sections
  } = validate(worldFileSchema(sectionsOf(nouns)), content, 'world file')
  return { seed, clock, sections }
}
