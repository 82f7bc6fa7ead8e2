import type { NounCommands } from '../generate/noun.ts'
import { carrierForPeople, carriersForPeople } from './carriers/sentences.ts'
import { addReset, addSet } from './carriers/set.ts'

export const commands: NounCommands<'carriers'> = {
  verbs: {
    list: { forPeople: carriersForPeople, examples: ['sandbox carriers list'] },
    show: { forPeople: carrierForPeople, examples: ['sandbox carriers show nordfunk'] },
    // Hand-written in carriers/set.ts, which reads shares, pairs of share and reason, and --all.
    update: { skip: true },
    updateAll: { skip: true },
    reset: { skip: true },
    resetAll: { skip: true },
  },
  handWritten: [addSet, addReset],
}
