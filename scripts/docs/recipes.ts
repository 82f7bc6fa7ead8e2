import { RECIPES } from '../../src/cli/help/recipes.ts'
import { code, table } from './table.ts'

/** The goals of each section with their commands. */
export const recipeTables = (): string =>
  Object.entries(RECIPES)
    .map(([section, goals]) => {
      const rows = Object.entries(goals).map(([goal, commands]) => [goal, commands.map(code).join(' · ')])
      return `## ${section}\n\n${table(['goal', 'commands'], rows)}`
    })
    .join('\n\n')
