import { toEuros } from '../../words/money.ts'
import { isPhone } from '../../words/phone.ts'
import { Problem, problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import * as billing from '../billing/actions.ts'
import { channelById } from '../channels/actions.ts'
import { addContact } from '../contacts/actions.ts'
import { type CheckedSend, check } from './channels/checked-send.ts'
import { contentTypeOf } from './channels/content.ts'
import { channels } from './channels/index.ts'
import { unknown } from './channels/refusals.ts'
import type { SendRequest, sendMessage } from './contract.ts'
import { lastDelivered } from './inbound.ts'
import { enqueue } from './lifecycle.ts'

/** POST /v1/messages (interface §4.2): decides, holds the money, and queues. */
export const send: Action<typeof sendMessage> = (world, { body }) => queue(world, checkSend(world, body))

/**
 * Sends to one contact of a campaign, for which a refusal is an answer like any other. A refused send has written
 * nothing.
 */
export function sendFor(world: World, body: SendRequest, campaign_id: string): { message_id: string } | Problem {
  try {
    return queue(world, checkSend(world, body), campaign_id)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The channel is chosen by the identifier in the body (§4.2, rule 1). An unknown channel counts as one of email. */
function checkSend(world: World, body: SendRequest): CheckedSend {
  if (body.agent_id !== undefined) return check(world, channels.RCS, body, undefined)
  const channel = channelById(world, body.channel_id!)
  if (channel?.type === 'RCS') throw rcsByChannel()
  // What leads to a phone is no email that could be judged further.
  if (!channel && isPhone(body.to)) throw unknown('channel_id', body.channel_id!)
  return check(world, channels[channel?.type ?? 'EMAIL'], body, channel)
}

const rcsByChannel = () =>
  problem('validation_error', 'channel_id: RCS sends take agent_id; the platform finds the channel.', {
    details: [{ field: 'channel_id', code: 'invalid_value', message: 'is an RCS channel; give agent_id instead' }],
  })

/**
 * Every message has a contact (interface §2.6). A phone in a session, or one that is verified for the Test Agent, may
 * have none any more: then the message gets the contact of the messages before it, or a new one.
 */
function contactOf(world: World, { asked: { to }, agentId, channel }: CheckedSend): string {
  const before = agentId === null ? undefined : lastDelivered(world, agentId, to)?.contact_id
  return before ?? addContact(world, channel === 'EMAIL' ? { email: to } : { phone: to }).id
}

/** Holds the money for a checked send and queues it. `campaign_id` is that of the campaign that sends it. */
export function queue(world: World, checked: CheckedSend, campaign_id: string | null = null) {
  const { channel, asked, content, carried } = checked
  const quote = billing.quote(world, { channel, messageType: asked.messageType, content, ...checked.paid })
  if (!billing.isCovered(world, quote)) throw insufficient(world, quote)
  const id = world.ids.next('msg_')
  const funds = billing.hold(world, quote, id)
  checked.recordFees?.(id, quote)
  enqueue(
    world,
    {
      id,
      channel,
      channel_id: checked.channelId,
      agent_id: checked.agentId,
      contact_id: checked.contact?.id ?? contactOf(world, checked),
      campaign_id,
      recipient: asked.to,
      message_type: asked.messageType,
      traffic_type: asked.trafficType,
      content: JSON.stringify(content),
      content_type: contentTypeOf(content, carried.template_id),
      template_id: carried.template_id ?? null,
      ttl: carried.ttl ?? null,
      classification: quote.classification,
      hold: quote.price,
    },
    checked.dispatchDelayMs(id),
  )
  return {
    message_id: id,
    status: 'queued' as const,
    created_at: isoTime(world.now()),
    billing: billingOf(quote, funds),
  }
}

function billingOf(
  { channel, classification, alreadyPaid, price, tier, volume }: billing.Quote,
  funds: ReturnType<typeof billing.fundsOf>,
) {
  return {
    channel,
    message_type: classification,
    hold_amount: toEuros(price),
    message_price: toEuros(price),
    balance: billing.balanceOf(funds),
    tier: { channel, current: tier.name, volume_used: volume },
    ...(classification === 'conversation' ? { in_session: alreadyPaid } : {}),
    ...(classification === 'mau' ? { mau_charged: !alreadyPaid } : {}),
  }
}

function insufficient(world: World, { price }: billing.Quote): Problem {
  const balance = billing.balanceOf(billing.fundsOf(world))
  const required_amount = toEuros(price)
  return problem(
    'insufficient_balance',
    `This send needs ${required_amount} EUR and ${balance.free} EUR are free. Top up, or wait for holds to settle.`,
    { required_amount, balance, topup_url: billing.topupUrl(world) },
  )
}
