import { type Agent, agentById, isLaunchedAnywhere } from '../agents/actions.ts'
import * as billing from '../billing/actions.ts'
import type { PriceFacts } from '../billing/rules.ts'
import { deviceOf, emailDispatchDelay, rcsDispatchDelay } from '../carriers/actions.ts'
import { channelById, channelOfAgent, templateById } from '../channels/actions.ts'
import { consentStatusOf } from '../consent/actions.ts'
import { addContact, type ContactRow, contactByEmail, contactByPhone } from '../contacts/actions.ts'
import { openSession, recordFee } from '../conversations/actions.ts'
import { toEuros } from '../words/money.ts'
import { type Problem, problem } from '../words/problem.ts'
import { isoTime } from '../world/clock.ts'
import type { Action } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { Content } from './content.ts'
import type { SendRequest, send as sendOperation } from './contract.ts'
import { begin, type Beginning } from './life.ts'
import { contentTypeOf, emailContent, emailRequest, rcsContent, rcsRequest, ttlMs } from './request.ts'
import { type Refusal, refuseEmail, refuseRcs } from './rules.ts'
import { render } from './template.ts'

/** A send that has passed every check but money's. */
interface Accepted extends Omit<Beginning, 'id' | 'hold' | 'dispatchDelayMs'> {
  price: PriceFacts
  dispatchDelayMs: (messageId: string) => number
  /** Writes down what later sends are priced by. */
  settled?: (messageId: string, quote: billing.Quote) => void
}

/** POST /v1/messages (interface §4.2): decides, holds the money, and queues. */
export const send: Action<typeof sendOperation> = (world, { body }) => queue(world, acceptedOf(world, body))

/** The channel is chosen by the identifier in the body (§4.2, rule 1). */
const acceptedOf = (world: World, body: SendRequest): Accepted =>
  body.agent_id === undefined ? acceptThroughChannel(world, body) : acceptRcs(world, body)

function queue(world: World, accepted: Accepted) {
  const quote = billing.quote(world, accepted.price)
  const id = world.newId('msg_')
  const funds = billing.hold(world, quote, id)
  if (!funds) throw insufficient(world, quote)
  accepted.settled?.(id, quote)
  begin(world, { ...accepted, id, hold: quote.price, dispatchDelayMs: accepted.dispatchDelayMs(id) })
  return {
    message_id: id,
    status: 'queued' as const,
    created_at: isoTime(world.now()),
    billing: billingOf(quote, funds),
  }
}

function billingOf({ channel, classification, alreadyPaid, price, tier, volume }: billing.Quote, funds: ReturnType<typeof billing.fundsOf>) {
  return {
    channel,
    message_type: classification,
    hold_amount: toEuros(price),
    message_price: toEuros(price),
    balance: billing.balanceOf(funds),
    tier: { channel, current: tier.name, volume_used: volume + 1 },
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

function acceptRcs(world: World, body: SendRequest): Accepted {
  const request = rcsRequest(body)
  const inline = body.content && rcsContent(body.content)
  const agent = agentById(world, request.agentId)
  if (!agent) throw unknown('agent_id', request.agentId)
  const content = inline ?? rcsContent(renderTemplate(world, body, 'RCS'))
  const { phone, messageType } = request
  const contact = contactByPhone(world, phone)
  const session = messageType === 'CONVERSATION' ? openSession(world, agent.agent_id, phone) : undefined
  const device = deviceOf(world, phone)
  const refusal = refuseRcs({
    messageType,
    agent: {
      status: agent.status,
      useCase: agent.use_case,
      isLaunched: isLaunchedAnywhere(agent),
      newsletterEnabled: agent.newsletter_enabled,
    },
    recipient: recipientOf(world, contact, 'RCS', messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE'),
    hasOpenSession: session !== undefined,
    isRcsCapable: device.rcsCapable,
  })
  if (refusal) throw rcsProblem(refusal, request, agent, contact)
  const isNewsletter = messageType === 'NEWSLETTER'
  return {
    channel: 'RCS',
    channel_id: channelOfAgent(world, agent.agent_id)?.channel_id ?? null,
    agent_id: agent.agent_id,
    // A CONVERSATION needs a session, not a contact (choices, "Which send needs which record").
    contact_id: contact?.id ?? null,
    campaign_id: null,
    recipient: phone,
    message_type: messageType,
    traffic_type: request.trafficType,
    ...contentFields(content, body),
    price: {
      channel: 'RCS',
      messageType,
      content,
      bySession: agent.billing_category === 'CONVERSATIONAL',
      sessionPaid: session?.fee_message_id != null,
      subscriberPaid: isNewsletter && billing.isPaidSubscriber(world, agent.agent_id, contact!.id),
    },
    dispatchDelayMs: (id) => rcsDispatchDelay(world, device, id),
    settled(id, { classification, alreadyPaid }) {
      if (alreadyPaid) return
      if (classification === 'mau') billing.recordSubscriber(world, agent.agent_id, contact!.id, id)
      if (classification === 'conversation') recordFee(world, agent.agent_id, phone, id)
    },
  }
}

function acceptThroughChannel(world: World, body: SendRequest): Accepted {
  const channel = channelById(world, body.channel_id!)
  if (channel?.type === 'RCS')
    throw problem('validation_error', 'channel_id: RCS sends take agent_id; the platform finds the channel.', {
      details: [{ field: 'channel_id', code: 'invalid_value', message: 'is an RCS channel; give agent_id instead' }],
    })
  if (channel?.type === 'SMS') throw problem('channel_unavailable')
  const request = emailRequest(body)
  const inline = body.content && emailContent(body.content, body.subject)
  if (!channel) throw unknown('channel_id', body.channel_id!)
  const content = inline ?? emailContent(renderTemplate(world, body, 'EMAIL'), body.subject)
  const { email, messageType } = request
  const contact = contactByEmail(world, email)
  const refusal = refuseEmail({
    messageType,
    channel: { ...channel, allows: channel.messageTypes.includes(messageType) },
    recipient: recipientOf(world, contact, 'EMAIL', messageType),
  })
  if (refusal) throw emailProblem(refusal, email, contact, messageType)
  return {
    channel: 'EMAIL',
    channel_id: channel.channel_id,
    agent_id: null,
    contact_id: (contact ?? addContact(world, { email })).id,
    campaign_id: null,
    recipient: email,
    message_type: messageType,
    traffic_type: request.trafficType,
    ...contentFields(content, body),
    price: { channel: 'EMAIL', messageType, content, bySession: false, sessionPaid: false, subscriberPaid: false },
    dispatchDelayMs: (id) => emailDispatchDelay(world, id),
  }
}

const contentFields = (content: Content, { template_id, ttl }: SendRequest) => ({
  content: JSON.stringify(content),
  content_type: contentTypeOf(content, template_id),
  template_id: template_id ?? null,
  ttl: ttl ?? null,
  ttlMs: ttlMs(ttl),
}) as const

function recipientOf(world: World, contact: ContactRow | undefined, channel: 'RCS' | 'EMAIL', type: 'MESSAGE' | 'NEWSLETTER') {
  if (!contact) return { isKnown: false, status: 'ACTIVE', consent: undefined } as const
  return { isKnown: true, status: contact.status, consent: consentStatusOf(world, contact.id, channel, type) }
}

function renderTemplate(world: World, { template_id, template_version, template_data }: SendRequest, channel: 'RCS' | 'EMAIL'): unknown {
  const template = templateById(world, template_id!, template_version)
  if (!template) throw unknown('template_id', `${template_id}${template_version ? ` version ${template_version}` : ''}`)
  if (template.channel_type !== channel)
    throw problem('validation_error', `template_id: is a template for ${template.channel_type}, not for ${channel}.`, {
      details: [{ field: 'template_id', code: 'invalid_value', message: `is a template for ${template.channel_type}` }],
    })
  return render(template.content, template_data ?? {})
}

const unknown = (field: string, id: string) =>
  problem('not_found', `There is no ${field.replace('_id', '')} ${id} in this world.`, {
    details: [{ field, code: 'not_found', message: 'is not known' }],
  })

function rcsProblem(refusal: Refusal, { phone, messageType, agentId }: ReturnType<typeof rcsRequest>, agent: Agent, contact: ContactRow | undefined): Problem {
  if (refusal === 'agent_not_approved' || refusal === 'agent_not_launched')
    return problem(refusal, undefined, { agent_id: agentId, agent_status: agent.status })
  if (refusal === 'message_type_not_allowed')
    return problem(refusal, `An agent for ${agent.use_case} may not send ${messageType} (interface §2.7).`, { agent_id: agentId, agent_status: agent.status })
  if (refusal === 'missing_consent' && messageType === 'NEWSLETTER' && !agent.newsletter_enabled)
    return problem(refusal, 'The agent was not created with newsletter_enabled; create one that is.', {
      details: [{ field: 'agent_id', code: 'newsletter_not_enabled', message: 'was created without newsletter_enabled' }],
    })
  return recipientProblem(refusal, phone, contact, 'RCS', messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE')
}

function emailProblem(refusal: Refusal, email: string, contact: ContactRow | undefined, messageType: 'MESSAGE' | 'NEWSLETTER'): Problem {
  if (refusal === 'message_type_not_allowed') return problem(refusal, `The channel does not permit ${messageType}.`)
  return recipientProblem(refusal, email, contact, 'EMAIL', messageType)
}

/** Says about whom and about which record a refusal speaks. */
function recipientProblem(refusal: Refusal, to: string, contact: ContactRow | undefined, channel_type: string, message_type: string): Problem {
  if (refusal === 'recipient_suppressed')
    return problem(refusal, `The contact is ${contact!.status}, which suppresses sends.`, { to, contact_id: contact!.id, contact_status: contact!.status })
  if (/consent/.test(refusal))
    return problem(refusal, undefined, { to, contact_id: contact?.id ?? null, channel_type, message_type })
  return problem(refusal, undefined, refusal === 'channel_inactive' || refusal === 'domain_not_verified' ? {} : { to })
}
