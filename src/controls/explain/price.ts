import { senderById } from '../../service/agents/shared.ts'
import { type Entry, entriesOf, pastPriceOf } from '../../service/billing/past.ts'
import { BASIC_MESSAGE_CHARACTERS, classify, type PartOfContent } from '../../service/billing/rules.ts'
import { type MessageRow, sentFrom } from '../../service/messages/actions.ts'
import { toEuros } from '../../words/money.ts'
import { quantity } from '../../words/number-text.ts'
import { monthOf } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { Reason } from './contract.ts'
import { reasonNow, reasonThen } from './reason.ts'

export function whyPriced(world: World, row: MessageRow): Reason[] {
  const hold = entriesOf(world, row.id).find(({ type }) => type === 'hold')
  return [
    reasonThen('classification', `${row.classification}: ${whyClassified(world, row)}`),
    ...whyPrice(world, row),
    hold ? entry(hold) : reasonThen('ledger', 'nothing was held'),
  ]
}

const euros = (amount: number) => `${toEuros(amount).toFixed(4)} EUR`

const entry = ({ id, type, amount }: Entry): Reason =>
  reasonThen('ledger', `${type} of ${euros(amount)}, ${id}`, { id })

/** Lists the ledger entries that settled the hold at an instant. */
export const whySettled = (world: World, { id }: MessageRow, at: string): Reason[] =>
  entriesOf(world, id)
    .filter((one) => one.type !== 'hold' && one.at === at)
    .map(entry)

/** Classifies the send again. The hold shows what paid for it. */
function whyClassified(world: World, row: MessageRow): string {
  const { channel, message_type, classification, hold, created_at } = row
  const month = monthOf(created_at)
  const { by } = classify({
    channel,
    messageType: message_type,
    content: JSON.parse(row.content),
    bySession: classification === 'conversation',
  })
  if (by === 'channel') return `every ${channel === 'EMAIL' ? 'email' : 'SMS'} is one`
  if (by === 'subscriber')
    return hold > 0
      ? `the first NEWSLETTER of the agent to this contact in ${month}`
      : `an earlier NEWSLETTER of the agent in ${month} pays for this contact`
  if (by === 'session')
    return hold > 0
      ? 'the first CONVERSATION of the session, which carries its fee'
      : 'an earlier CONVERSATION carries the fee of the session'
  const isByMessage = senderById(world, row.agent_id!)!.billing_category !== 'CONVERSATIONAL'
  return partInWords(by) + (isByMessage ? ' (the agent is billed by message)' : '')
}

function partInWords(by: PartOfContent): string {
  if (by === 'rich card') return 'it is a rich card'
  if ('suggestions' in by) return `it has ${by.suggestions === 1 ? 'a suggestion' : `${by.suggestions} suggestions`}`
  return by.characters > BASIC_MESSAGE_CHARACTERS
    ? `${by.characters} characters, more than ${BASIC_MESSAGE_CHARACTERS}`
    : `${quantity(by.characters, 'characters')}, at most ${BASIC_MESSAGE_CHARACTERS}, and no suggestions`
}

function whyPrice(world: World, row: MessageRow): Reason[] {
  const { channel, hold } = row
  const classification = row.classification!
  const { tier, volume, month, list, price } = pastPriceOf(world, { ...row, classification }, (end) =>
    sentFrom(world, row, end),
  )
  const isCovered = hold === 0 && (classification === 'mau' || classification === 'conversation')
  if (!isCovered && price !== hold)
    return [reasonNow('price', `${euros(hold)} by the prices at that time, which have changed since`)]
  const full = `${euros(price)} for a ${classification}`
  const reduced = `${euros(price)}: ${euros(list)} for a ${classification}, less ${tier.discount_percent} %`
  return [
    reasonThen('tier', `${tier.name}: message ${volume} over ${channel} in ${month}`),
    reasonThen(
      'price',
      isCovered ? '0.0000 EUR, because it is already paid for' : tier.discount_percent === 0 ? full : reduced,
    ),
  ]
}
