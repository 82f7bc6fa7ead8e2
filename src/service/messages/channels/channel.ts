import type { Device } from '../../../network/carriers/actions.ts'
import type { Layer } from '../../../network/carriers/behaviour.ts'
import type { CarrierProfile, MailProfile } from '../../../network/carriers/contract.ts'
import type { Draw, Plan, Trace } from '../../../network/carriers/plan.rules.ts'
import type { FailureReason } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type { Channel } from '../../channels/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageMachine } from '../states.ts'
import type { MessageRow } from '../store.ts'
import type { CheckedSend } from './checked-send.ts'
import type { Content } from './content.ts'

/** What sets the messages of a channel apart from those of the others. */
export interface MessageChannel {
  readonly machine: MessageMachine
  /** A content in the form of the channel; refuses any other. */
  readonly contentOf: (content: unknown, subject?: string) => Content
  /** Every check of a send but money's, in the documented order (choices, "Order of checks"). */
  readonly check: (world: World, body: SendRequest, channel: Channel | undefined) => CheckedSend
  /** The phone that a message goes to; undefined where it goes to a mailbox. */
  readonly deviceOf: (world: World, address: string) => Device | undefined
  /** What the owner of the phone or mailbox makes of what arrives. */
  readonly ownerLayer: (world: World, address: string) => Layer | undefined
  /** Why a carrier turns a message away, whoever the recipient is. */
  readonly carrierRefusal: (world: World, row: MessageRow, device: Device) => CarrierRefusal | undefined
  /** What becomes of a message. Whoever explains it makes the plan again, and is told what decided. */
  readonly plan: (facts: PlanFacts, draw: Draw, trace?: Trace) => Plan
}

export type CarrierRefusal = Extract<FailureReason, 'REJECTED_SPAM' | 'CARRIER_NOT_LAUNCHED'>

/** What a plan is made of: a phone has a carrier, a mailbox a mail server. */
export interface PlanFacts {
  readonly network: { readonly carrier?: CarrierProfile; readonly mail?: MailProfile }
  /** Whoever has a say before the network, the strongest first. */
  readonly layers: readonly Layer[]
  readonly refusal: FailureReason | undefined
  /** JSON of what the message carries. */
  readonly content: string
}
