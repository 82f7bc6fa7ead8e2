import { addValidate } from '../commands/world/validate/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import { resetSummary } from './world/reset-summary.ts'

export const commands: NounCommands<'world'> = {
  notes:
    'To export or keep the whole state, with messages and scheduled work: "sandbox snapshots save", then "sandbox snapshots export". A world file ("dump") holds contacts, agents, settings and the like, as text that you can edit.',
  example: 'dump',
  verbs: {
    show: { examples: ['sandbox world show', 'sandbox world show --json | jq -r ".campaigns[].campaign_id"'] },
    setRateLimits: {
      done: 'rate limits changed',
      notes:
        'To get a 429 with a short wait, run "sandbox faults add --route messages.send --status 429 --retry-after 1 --times 1".',
      examples: ['sandbox world set-rate-limits --no-enabled', `sandbox world set-rate-limits --limits '{"send": 60}'`],
    },
    dump: {
      examples: ['sandbox world dump > my-world.yaml', 'sandbox start --world my-world.yaml --data .my-world'],
    },
    stop: { skip: true },
    reset: {
      positional: ['scope'],
      examples: ['sandbox world reset', 'sandbox world reset messages'],
      forPeople: resetSummary,
    },
  },
  handWritten: [addValidate],
}
