import { refusedBy, unknownReference } from '../../words/broken-fields.ts'
import { toEuros } from '../../words/money.ts'
import { isPhone } from '../../words/phone-number.ts'
import { Problem, problem } from '../../words/problem.ts'
import { withinRange } from '../../words/range.ts'
import type { Call } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { agentById } from '../agents/actions.ts'
import * as billing from '../billing/actions.ts'
import { channelById, contentFromTemplate } from '../channels/actions.ts'
import { addContact } from '../contacts/actions.ts'
import { recordFee } from '../conversations/actions.ts'
import { broken, type CheckedSend, refuse } from './channels/channel.ts'
import { type Content, contentTypeOf } from './channels/content.ts'
import { channels } from './channels/index.ts'
import { MAX_TTL_S, type SendRequest, type sendMessage } from './contract.ts'
import { emitQueued } from './events.ts'
import { messageStore, type NewMessage } from './store.ts'

/** POST /v1/messages (interface §4.2): checks, prices, holds the money, and writes. */
export const send = (world: World, { body }: Call<typeof sendMessage>) => queue(world, check(world, body))

/**
 * Sends to one contact of a campaign. A refusal is returned, not thrown. A refused send has written nothing.
 */
export function sendFor(world: World, body: SendRequest, campaign_id: string): { message_id: string } | Problem {
  try {
    return queue(world, check(world, body), campaign_id)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Runs all checks of a send except for the balance, in the documented order (choices, "Order of checks"). */
function check(world: World, body: SendRequest): CheckedSend {
  // The identifier in the body chooses the channel (§4.2, rule 1).
  const { channel, sender } =
    body.agent_id === undefined
      ? byChannelId(world, body)
      : { channel: channels.RCS, sender: agentById(world, body.agent_id) }
  let inline: Content | undefined
  const faultsOfContent = refusedBy(() => {
    inline = body.content && channel.contentOf(body.content, body.subject)
  })
  refuse([...channel.faultsOf(body), ...faultsOfContent])
  channel.refuseUnavailable?.(world)
  if (!sender)
    throw body.agent_id ? unknownReference('agent_id', body.agent_id) : unknownReference('channel_id', body.channel_id!)
  const content = inline ?? channel.contentOf(contentFromTemplate(world, body, channel.type), body.subject)
  return channel.check(world, body, content, sender)
}

/** Finds the channel behind a `channel_id`. An unknown one counts as email. */
function byChannelId(world: World, { channel_id, to }: SendRequest) {
  const sender = channelById(world, channel_id!)
  if (sender?.type === 'RCS') throw rcsByChannel()
  // A phone number cannot be judged as an email.
  if (!sender && isPhone(to)) throw unknownReference('channel_id', channel_id!)
  return { channel: channels[sender?.type ?? 'EMAIL'], sender }
}

const rcsByChannel = () =>
  problem('validation_error', 'channel_id: RCS sends take agent_id; the platform finds the channel.', {
    details: [broken('channel_id', 'invalid_value', 'is an RCS channel; pass agent_id instead')],
  })

/** Holds the money for a checked send and queues it. `campaign_id` is that of the campaign that sends it. */
export function queue(world: World, send: CheckedSend, campaign_id: string | null = null) {
  refuseBeyondLimit(world)
  const quote = billing.quote(world, send)
  if (!billing.isCovered(world, quote)) throw insufficient(world, quote)
  const id = world.ids.next('msg_')
  const funds = billing.hold(world, quote, id)
  recordFees(world, send, id, quote)
  insert(world, send, { id, campaign_id, classification: quote.classification, hold: quote.price })
  return {
    message_id: id,
    status: 'queued' as const,
    created_at: isoTime(world.now()),
    billing: billingOf(quote, funds),
  }
}

/** In a shared sandbox, the administrator may limit the messages of a namespace. */
function refuseBeyondLimit(world: World) {
  const maxMessages = world.host.tenants?.limitsOf(world.namespace)?.messages ?? null
  if (maxMessages === null) return
  const { upcomingSeq, count } = world.store(messageStore)
  // Deleted messages leave their positions behind. Counting takes longer.
  if (upcomingSeq() <= maxMessages || count({}) < maxMessages) return
  throw problem(
    'limit_exceeded',
    `The namespace ${world.namespace} has reached its limit of ${maxMessages} messages. Remove them with "sandbox world reset messages", or ask the administrator for a higher limit.`,
    { max_messages: maxMessages },
  )
}

/** Records the session, or the subscriber of this month, that a send of an agent pays for. */
function recordFees(world: World, { agentId, to, contact }: CheckedSend, messageId: string, quote: billing.Quote) {
  if (quote.alreadyPaid) return
  if (quote.classification === 'mau') billing.recordSubscriber(world, agentId!, contact!.id, messageId)
  if (quote.classification === 'conversation') recordFee(world, agentId!, to, messageId)
}

/** The facts of a message that the queue decides. The checked send has the others. */
interface Queued {
  id: string
  campaign_id: string | null
  classification: billing.Quote['classification']
  hold: number
}

/** Inserts a message and its next step. A message has exactly one row in the timer table. */
function insert(world: World, send: CheckedSend, queued: Queued) {
  const { carried, content } = send
  // Every message has a contact (interface §2.6). An action-based email or a message of the Test Agent may create it.
  const contact = send.contact ?? addContact(world, send.channel === 'EMAIL' ? { email: send.to } : { phone: send.to })
  const created_at = world.now()
  const expires_at = created_at + (carried.ttl === undefined ? MAX_TTL_S : Number(carried.ttl.slice(0, -1))) * 1_000
  const dispatchAt = created_at + withinRange(send.dispatchDelay, world.random('dispatch delay', queued.id))
  const message: NewMessage = {
    ...queued,
    direction: 'OUTBOUND',
    channel: send.channel,
    channel_id: send.channelId,
    agent_id: send.agentId,
    contact_id: contact.id,
    recipient: send.to,
    message_type: send.messageType,
    traffic_type: send.trafficType,
    content: JSON.stringify(content),
    content_type: contentTypeOf(content, carried.template_id),
    template_id: carried.template_id ?? null,
    ttl: carried.ttl ?? null,
    status: 'queued',
    timer_id:
      dispatchAt <= expires_at
        ? world.timers.schedule('message.dispatch', queued.id, dispatchAt)
        : world.timers.schedule('message.expire', queued.id, expires_at),
    created_at,
    expires_at,
  }
  world.store(messageStore).insert(message)
  emitQueued(world, message)
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
  return problem('insufficient_balance', `This send needs ${required_amount} EUR and ${balance.free} EUR are free.`, {
    required_amount,
    balance,
    topup_url: billing.topupUrl(world),
  })
}
