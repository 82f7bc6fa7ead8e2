import type { z } from 'zod'
import { CHOICE, collectSchemas, type JsonSchema } from '../../src/openapi/schema.ts'
import { nouns } from '../../src/registry/nouns.ts'
import { ScenarioFile } from '../../src/scenarios/schema.ts'
import { sectionsOf } from '../../src/world/combined-nouns.ts'
import { worldFileSchema } from '../../src/world/file/schema.ts'

export const worldSchema = (): JsonSchema =>
  forEditors('World file of messaging-sandbox', worldFileSchema(sectionsOf(nouns)))
export const scenarioSchema = (): JsonSchema => forEditors('Scenario of messaging-sandbox', ScenarioFile)

/** Turns a schema into a self-contained document in draft 7, which editors support best. */
function forEditors(title: string, zodSchema: z.ZodType): JsonSchema {
  const schemas = collectSchemas()
  const { description: _, ...schema } = schemas.of(zodSchema)
  const whole = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...schema,
    definitions: schemas.components,
  }
  return JSON.parse(JSON.stringify(whole, asEditorsLike))
}

function asEditorsLike(key: string, value: unknown): unknown {
  if (key in CHOICE) return undefined
  return key === '$ref' ? String(value).replace('#/components/schemas/', '#/definitions/') : value
}
