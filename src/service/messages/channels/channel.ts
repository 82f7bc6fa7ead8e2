import type { Layer } from '../../../network/carriers/behaviour.ts'
import type { CarrierProfile, MailProfile } from '../../../network/carriers/contract.ts'
import type { Draw, Plan, Trace } from '../../../network/carriers/plan.rules.ts'
import type { Device } from '../../../network/handsets/actions.ts'
import { brokenFields } from '../../../words/broken-fields.ts'
import { isPhone, phoneFault } from '../../../words/phone-number.ts'
import type { Detail } from '../../../words/problem.ts'
import type { Range } from '../../../words/range.ts'
import type { ChannelType, FailureReason, MessageType, TrafficType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type { Agent } from '../../agents/actions.ts'
import type { PriceFacts } from '../../billing/rules.ts'
import type { Channel } from '../../channels/actions.ts'
import { consentStatusOf } from '../../consent/actions.ts'
import type { Recipient } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageMachine } from '../states.ts'
import type { MessageRow } from '../store.ts'
import type { Content } from './content.ts'
import { consentTypeOf, type RecipientFacts } from './rules.ts'

/** The fields of a send for its content and lifetime. */
type Carried = Pick<SendRequest, 'content' | 'template_id' | 'template_version' | 'template_data' | 'ttl'>

/** A send that has passed all checks except for the balance, with the facts of its price. */
export interface CheckedSend extends PriceFacts {
  /** E.164 or an email address. */
  to: string
  trafficType: TrafficType | null
  content: Content
  /** The contact of the recipient. The queue creates a missing one. */
  contact: Recipient | undefined
  agentId: string | null
  channelId: string | null
  /** The time that it spends in the queue. */
  dispatchDelay: Range
  carried: Carried
}

/** The parts of sending and delivering in which one channel differs from the others. A channel has senders of one kind. */
export interface MessageChannel<Sender = Agent | Channel> {
  readonly type: ChannelType
  readonly machine: MessageMachine
  /** Lists the fields of a request that do not fit the channel. */
  faultsOf(body: SendRequest): readonly FieldFault[]
  /** Refuses every send in a world without this channel. */
  readonly refuseUnavailable?: (world: World) => void
  /** Refuses what sender, recipient or device do not permit (interface §4.2), or gathers the facts for price and queue. */
  check(world: World, body: SendRequest, content: Content, sender: Sender): CheckedSend
  /** Reads a content in the form of the channel, and refuses any other. */
  readonly contentOf: (content: unknown, subject?: string) => Content
  /** Finds the phone of a recipient; undefined for a mailbox. */
  readonly deviceOf: (world: World, address: string) => Device | undefined
  /** Reads how the owner of the phone or mailbox treats messages. */
  readonly ownerLayer: (world: World, address: string) => Layer | undefined
  /** Returns why a carrier rejects a message for any recipient. */
  readonly carrierRefusal: (world: World, row: MessageRow, device: Device) => CarrierRefusal | undefined
  /** Decides the outcome of a message. Explain repeats the plan with a trace that receives each decision. */
  readonly plan: (facts: PlanFacts, draw: Draw, trace?: Trace) => Plan
}

export type CarrierRefusal = Extract<FailureReason, 'REJECTED_SPAM' | 'CARRIER_NOT_LAUNCHED'>

/** The facts of a plan. A phone has a carrier, and a mailbox a mail server. */
interface PlanFacts {
  readonly network: { readonly carrier?: CarrierProfile; readonly mail?: MailProfile }
  /** The layers that decide before the network, the strongest first. */
  readonly layers: readonly Layer[]
  readonly refusal: FailureReason | undefined
  /** The content of the message as JSON. */
  readonly content: string
}

/** A field that does not fit, or false if it fits. */
type FieldFault = Detail | false

export const broken = (field: string, code: string, message: string): Detail => ({ field, code, message })

/** Refuses a request for the fields that do not fit. */
export function refuse(faults: readonly FieldFault[]) {
  const details = faults.filter((fault) => fault !== false)
  if (details.length > 0) throw brokenFields(details, 'body')
}

export const faultOfPhone = ({ to }: SendRequest): FieldFault =>
  !isPhone(to) && broken('to', 'invalid_phone', phoneFault(to))

export const faultOfSubject = ({ subject }: SendRequest): FieldFault =>
  subject !== undefined && broken('subject', 'unknown_field', 'is for email only')

/** Only RCS knows conversations. */
export const faultOfConversation = ({ message_type }: SendRequest, on: string): FieldFault =>
  message_type === 'CONVERSATION' && broken('message_type', 'invalid_value', `must be MESSAGE or NEWSLETTER on ${on}`)

/** Reads the permissions of a contact. An unknown recipient is not suppressed and has no record. */
export const recipientFacts = (
  world: World,
  contact: Recipient | undefined,
  channel: ChannelType,
  messageType: MessageType,
): RecipientFacts => ({
  isKnown: contact !== undefined,
  status: contact?.status ?? 'ACTIVE',
  consent: contact && consentStatusOf(world, contact.id, channel, consentTypeOf(messageType)),
})
