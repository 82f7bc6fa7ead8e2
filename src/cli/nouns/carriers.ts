import { addReset } from '../commands/carriers/reset/index.ts'
import { addSet } from '../commands/carriers/set/index.ts'
import { carriersForPeople, inWords } from '../commands/carriers/tell.ts'
import type { NounCommands } from '../generate/noun.ts'
import { CARRIERS_OF_PHONES } from './handsets/notes.ts'

export const commands: NounCommands<'carriers'> = {
  notes: `"set" takes --fail <share> with --reason <reason>, --outage, or a --preset. Every nth message: "sandbox rules add --carrier <name> --every 3". ${CARRIERS_OF_PHONES}`,
  example: 'set',
  verbs: {
    list: { forPeople: carriersForPeople },
    show: { forPeople: inWords, examples: ['sandbox carriers show nordfunk'] },
    // Hand-written in carriers/set.ts, which reads shares, pairs of share and reason, and --all.
    update: { skip: true },
    updateAll: { skip: true },
    reset: { skip: true },
    resetAll: { skip: true },
  },
  handWritten: [addSet, addReset],
}
