import { readFileSync } from 'node:fs'
import { LAYERS } from '../../.dependency-cruiser.ts'
import { flagsOf } from '../../src/cli/commands/trigger/flags.ts'
import { RECIPES } from '../../src/cli/help/recipes.ts'
import { entryOf, triggerNames } from '../../src/controls/triggers/table.ts'
import { FINDINGS } from '../../src/display/handset/findings.ts'
import { eventExample } from '../../src/openapi/events.ts'
import { nouns } from '../../src/registry/nouns.ts'
import { type CatalogueEntry, catalogue, eventNames } from '../../src/service/events/catalogue.ts'
import { sectionsOf } from '../../src/world/combined-nouns.ts'
import { worldFileSchema } from '../../src/world/file/schema.ts'
import { checkList, flowTable, invariantList, sectionTable } from './checks.ts'
import { chosenEvents, chosenFields, chosenOperations } from './choices.ts'
import { commandReference, exitCodes, globalOptions } from './commands.ts'
import { errorTable } from './errors.ts'
import { undeclaredLimits } from './limits.ts'
import { operationTables } from './operations.ts'
import { code, table } from './table.ts'

/** Lists the layers of src from the highest to the lowest, as the dependency rules order them. */
const layerTable = () =>
  table(
    ['', 'Folder', 'What it contains'],
    LAYERS.toReversed().flatMap((row, i) =>
      Object.entries(row).map(([name, content]) => [String(LAYERS.length - i), code(`${name}/`), content]),
    ),
  )

/** Shows the events of the catalogue as they arrive at an endpoint. */
const eventList = (): string =>
  eventNames
    .map((name) => {
      const { summary, choice }: CatalogueEntry = catalogue[name]
      const source = choice ? 'Name or fields are a [choice](choices.md) of this sandbox.' : 'Interface §6.'
      return `### ${name}\n\n${summary}. ${source}\n\n\`\`\`json\n${JSON.stringify(eventExample(name), null, 2)}\n\`\`\``
    })
    .join('\n\n')

/** Lists the differences between a request and its display on a phone. */
const findingTable = (): string =>
  table(
    ['Code', 'What it is', 'What is shown', 'Source'],
    Object.entries(FINDINGS).map(([name, { weight, says, source }]) => [code(name), weight, says, source]),
  )

/** The goals of each section with their commands. */
const recipeTables = (): string =>
  Object.entries(RECIPES)
    .map(([section, goals]) => {
      const rows = Object.entries(goals).map(([goal, commands]) => [goal, commands.map(code).join(' · ')])
      return `## ${section}\n\n${table(['goal', 'commands'], rows)}`
    })
    .join('\n\n')

/** Lists all triggers. */
const triggerTable = () =>
  table(
    ['event', 'flags', 'what happens', 'needs'],
    triggerNames.map((name) => {
      const { does, needs } = entryOf(name)
      return [code(name), code(flagsOf(name)), does, needs]
    }),
  )

/** Lists the sections of a world file in the order of a dump. */
function worldSections(): string {
  const { $schema: _, ...fields } = worldFileSchema(sectionsOf(nouns)).shape
  return table(
    ['section', 'contents'],
    Object.entries(fields).map(([key, field]) => [`\`${key}\``, field.description ?? '']),
  )
}

/** The generated parts, by page and by the name in their markers. */
const PARTS: Record<string, Record<string, () => string>> = {
  '../ARCHITECTURE.md': { layers: layerTable },
  'api.md': { service: () => operationTables('service'), control: () => operationTables('control') },
  'choices.md': { operations: chosenOperations, fields: chosenFields, limits: undeclaredLimits, events: chosenEvents },
  'cli.md': { codes: exitCodes, options: globalOptions, commands: commandReference },
  'errors.md': { codes: errorTable },
  'events.md': { events: eventList },
  'handlers.md': { checks: checkList, flows: flowTable, sections: sectionTable, invariants: invariantList },
  'inspector.md': { findings: findingTable },
  'recipes.md': { recipes: recipeTables },
  'triggers.md': { events: triggerTable },
  'world-files.md': { sections: worldSections },
}

/** Returns the pages with up-to-date generated parts. */
export const pages = () =>
  Object.entries(PARTS).map(([name, parts]) => {
    const file = new URL(`../../docs/${name}`, import.meta.url)
    return { name, file, text: withParts(readFileSync(file, 'utf8'), parts) }
  })

export function withParts(text: string, parts: Record<string, () => string>): string {
  return Object.entries(parts).reduce((before, [part, write]) => {
    const between = new RegExp(`(<!-- generated: ${part} -->\n)[\\s\\S]*?(<!-- end of ${part} -->)`)
    if (!between.test(before)) throw new Error(`no markers for the generated part "${part}"`)
    return before.replace(between, (_, begin: string, end: string) => `${begin}\n${write()}\n\n${end}`)
  }, text)
}
