import type { Layer } from '../../../network/carriers/behaviour.ts'
import type { CarrierProfile, MailProfile } from '../../../network/carriers/contract.ts'
import type { Draw, Plan, Trace } from '../../../network/carriers/plan.rules.ts'
import type { Device } from '../../../network/handsets/actions.ts'
import type { ChannelType, FailureReason } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type { Channel } from '../../channels/actions.ts'
import type { Recipient } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageMachine } from '../states.ts'
import type { MessageRow } from '../store.ts'
import type { Addressed, Permitted } from './checked-send.ts'
import type { Content } from './content.ts'
import type { Asked } from './request.ts'

/** The parts of sending and delivering in which one channel differs from the others. */
export interface MessageChannel {
  readonly type: ChannelType
  readonly machine: MessageMachine
  /** Reads the fields of a send, and refuses those that the channel does not take. */
  readonly askedOf: (world: World, body: SendRequest) => Asked
  /** Reads a content in the form of the channel, and refuses any other. */
  readonly contentOf: (content: unknown, subject?: string) => Content
  /** Finds the sender, an agent or the channel's record, or refuses one that is not known. */
  readonly senderOf: (world: World, body: SendRequest, record: Channel | undefined) => Sender
  readonly recipientAt: (world: World, address: string) => Recipient | undefined
  /** Finds the phone that a message goes to; undefined where it goes to a mailbox. */
  readonly deviceOf: (world: World, address: string) => Device | undefined
  /** Reads how the owner of the phone or mailbox treats messages. */
  readonly ownerLayer: (world: World, address: string) => Layer | undefined
  /** Says why a carrier turns a message away, whoever the recipient is. */
  readonly carrierRefusal: (world: World, row: MessageRow, device: Device) => CarrierRefusal | undefined
  /** Decides what becomes of a message. Explain makes the plan again with a trace, which is told each decision. */
  readonly plan: (facts: PlanFacts, draw: Draw, trace?: Trace) => Plan
}

/** Decides whether the sender may send to the recipient (interface §4.2), or refuses it. */
export type Sender = (send: Addressed) => Permitted

export type CarrierRefusal = Extract<FailureReason, 'REJECTED_SPAM' | 'CARRIER_NOT_LAUNCHED'>

/** The facts of a plan. A phone has a carrier, and a mailbox a mail server. */
export interface PlanFacts {
  readonly network: { readonly carrier?: CarrierProfile; readonly mail?: MailProfile }
  /** The layers that decide before the network, the strongest first. */
  readonly layers: readonly Layer[]
  readonly refusal: FailureReason | undefined
  /** The content of the message as JSON. */
  readonly content: string
}
