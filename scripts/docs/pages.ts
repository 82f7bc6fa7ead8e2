import { readFileSync } from 'node:fs'
import { checkList, flowTable, invariantList, sectionTable } from './checks.ts'
import { chosenEvents, chosenFields, chosenOperations } from './choices.ts'
import { commandReference, exitCodes, globalOptions } from './commands.ts'
import { errorTable } from './errors.ts'
import { eventList } from './events.ts'
import { findingTable } from './findings.ts'
import { layerTable } from './layers.ts'
import { undeclaredLimits } from './limits.ts'
import { operationTables } from './operations.ts'
import { recipeTables } from './recipes.ts'
import { triggerTable } from './triggers.ts'
import { worldSections } from './world-sections.ts'

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
