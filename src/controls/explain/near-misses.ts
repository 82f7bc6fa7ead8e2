import type { NearMiss } from '../../network/rules/rules.ts'
import type { NearMissAnswer } from './contract.ts'
import { drawn } from './reason.ts'

/** Says in words why a rule that came close did not decide. */
export const toAnswer = (miss: NearMiss): NearMissAnswer => ({
  rule_id: miss.rule_id,
  name: miss.name,
  why: miss.why,
  ...(miss.why === 'differs'
    ? { criterion: miss.criterion, wanted: miss.wanted, was: miss.was }
    : { criterion: null, wanted: null, was: null }),
  says: inWords(miss),
})

function inWords(miss: NearMiss): string {
  switch (miss.why) {
    case 'differs':
      return miss.criterion === 'text_contains'
        ? `its text does not contain "${miss.wanted}"`
        : `${miss.criterion} is ${miss.was ?? 'not set'}, not ${miss.wanted}`
    case 'lost_draw':
      return `matched, and lost its ${drawn(miss.draw)}: it applies below ${miss.share}`
    case 'used_up':
      return `matched, and was used up: applied ${miss.times === 1 ? 'once' : `${miss.times} times`} before`
    case 'overruled':
      return `matched, and ${miss.by} had decided all that it says`
    case 'behind':
      return `matched too, and ${miss.by} comes first`
  }
}
