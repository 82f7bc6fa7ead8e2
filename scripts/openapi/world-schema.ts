import { CHOICE, collectSchemas, type JsonSchema } from '../../src/openapi/schema.ts'
import { nouns } from '../../src/registry/nouns.ts'
import { sectionsOf } from '../../src/world/combined-nouns.ts'
import { worldFileSchema } from '../../src/world/file/schema.ts'

/** The JSON Schema of world files, for editors. They know draft 7 best, and nothing newer is needed. */
export function worldSchema(): JsonSchema {
  const schemas = collectSchemas()
  const { description: _, ...schema } = schemas.of(worldFileSchema(sectionsOf(nouns)))
  const whole = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'World file of messaging-sandbox',
    ...schema,
    definitions: schemas.components,
  }
  return JSON.parse(JSON.stringify(whole, forEditors))
}

function forEditors(key: string, value: unknown): unknown {
  // Reckoned in floating point, 0.07 is no multiple of 0.0001 to some editors.
  if (key in CHOICE || key === 'multipleOf') return undefined
  return key === '$ref' ? String(value).replace('#/components/schemas/', '#/definitions/') : value
}
