import type { NounCommands } from '../noun.ts'
import { putBack } from './world/reset.ts'
import { addValidate } from './world/validate.ts'

export const commands: NounCommands<'world'> = {
  verbs: {
    dump: {
      examples: ['sandbox world dump > my-world.yaml', 'sandbox start --world my-world.yaml --data .my-world'],
    },
    reset: {
      positional: ['scope'],
      examples: ['sandbox world reset', 'sandbox world reset messages'],
      forPeople: putBack,
    },
  },
  byHand: [addValidate],
}
