import { flagsOf } from '../../src/cli/commands/trigger/flags.ts'
import { entryOf, triggerNames } from '../../src/controls/triggers/table.ts'
import { code, table } from './table.ts'

/** Lists all triggers. */
export const triggerTable = () =>
  table(
    ['event', 'flags', 'what happens', 'needs'],
    triggerNames.map((name) => {
      const { does, needs } = entryOf(name)
      return [code(name), code(flagsOf(name)), does, needs]
    }),
  )
