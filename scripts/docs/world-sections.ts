import { nouns } from '../../src/registry/nouns.ts'
import { sectionsOf } from '../../src/world/combined-nouns.ts'
import { worldFileSchema } from '../../src/world/file/schema.ts'
import { table } from './table.ts'

/** Lists the sections of a world file in the order of a dump. */
export function worldSections(): string {
  const { $schema: _, ...fields } = worldFileSchema(sectionsOf(nouns)).shape
  return table(
    ['section', 'contents'],
    Object.entries(fields).map(([key, field]) => [`\`${key}\``, field.description ?? '']),
  )
}
