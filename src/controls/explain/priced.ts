import { senderById } from '../../service/agents/shared.ts'
import type { Classification } from '../../service/billing/contract.ts'
import { type Entry, entriesOf, type PastPrice, pastPriceOf } from '../../service/billing/past-price.ts'
import { BASIC_MESSAGE_CHARACTERS } from '../../service/billing/rules.ts'
import { type MessageRow, sentFrom } from '../../service/messages/actions.ts'
import { type Content, suggestionsOf } from '../../service/messages/channels/content.ts'
import { toEuros } from '../../words/money.ts'
import { countCharacters } from '../../words/text.ts'
import { monthOf } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { Reason } from './contract.ts'
import { is, was } from './reason.ts'

/** Says how a send is classified, in which tier, and what was held for it. */
export function whyPriced(world: World, row: MessageRow): Reason[] {
  const hold = entriesOf(world, row.id).find(({ type }) => type === 'hold')
  return [
    was('classification', `${row.classification}: ${whyClassified(world, row)}`),
    ...whyPrice(world, row),
    hold ? entry(hold) : was('ledger', 'nothing was held'),
  ]
}

const euros = (amount: number) => `${toEuros(amount).toFixed(4)} EUR`

/** Says an entry of the ledger. */
const entry = ({ id, type, amount }: Entry): Reason => was('ledger', `${type} of ${euros(amount)}, ${id}`, { id })

/** Lists the entries of the ledger by which the hold ended at an instant. */
export const whySettled = (world: World, { id }: MessageRow, at: string): Reason[] =>
  entriesOf(world, id)
    .filter((one) => one.type !== 'hold' && one.at === at)
    .map(entry)

function whyClassified(
  world: World,
  { channel, classification, hold, created_at, agent_id, content }: MessageRow,
): string {
  if (channel !== 'RCS') return `every ${channel === 'EMAIL' ? 'email' : 'SMS'} is one`
  const month = monthOf(created_at)
  if (classification === 'mau')
    return hold > 0
      ? `the first NEWSLETTER of the agent to this contact in ${month}`
      : `an earlier NEWSLETTER of the agent in ${month} pays for this contact`
  if (classification === 'conversation')
    return hold > 0
      ? 'the first CONVERSATION of the session, which carries its fee'
      : 'an earlier CONVERSATION carries the fee of the session'
  const by =
    senderById(world, agent_id!)!.billing_category === 'CONVERSATIONAL' ? '' : ' (the agent is billed by message)'
  return whyContent(JSON.parse(content)) + by
}

/** Interface §2.5. */
function whyContent(content: Content): string {
  if (content.rich_card) return 'it is a rich card'
  const suggestions = suggestionsOf(content).length
  if (suggestions > 0) return `it has ${suggestions === 1 ? 'a suggestion' : `${suggestions} suggestions`}`
  const characters = countCharacters(content.text ?? '')
  return characters > BASIC_MESSAGE_CHARACTERS
    ? `${characters} characters, more than ${BASIC_MESSAGE_CHARACTERS}`
    : `${characters} characters, at most ${BASIC_MESSAGE_CHARACTERS}, and no suggestions`
}

function whyPrice(world: World, row: MessageRow): Reason[] {
  const { channel, classification, created_at, hold } = row
  const priced = pastPriceOf(world, { channel, classification: classification!, created_at }, (end) =>
    sentFrom(world, row, end),
  )
  const { tier, volume, month, price } = priced
  const isCovered = hold === 0 && (classification === 'mau' || classification === 'conversation')
  if (!isCovered && price !== hold)
    return [is('price', `${euros(hold)} by the prices of then, which have changed since`)]
  return [
    was('tier', `${tier}: message ${volume} over ${channel} in ${month}`),
    was('price', isCovered ? '0.0000 EUR, as it is paid for already' : inWords(priced, classification!)),
  ]
}

const inWords = ({ price, list, discountPercent }: PastPrice, classification: Classification): string =>
  discountPercent === 0
    ? `${euros(price)} for a ${classification}`
    : `${euros(price)}: ${euros(list)} for a ${classification}, less ${discountPercent} %`
