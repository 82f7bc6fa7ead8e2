import type { Layer } from '../../../network/carriers/behaviour.ts'
import type { CarrierProfile, MailProfile } from '../../../network/carriers/contract.ts'
import type { Draw, Plan, Trace } from '../../../network/carriers/plan.rules.ts'
import type { Device } from '../../../network/handsets/actions.ts'
import type { FailureReason } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type { Channel } from '../../channels/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageMachine } from '../states.ts'
import type { MessageRow } from '../store.ts'
import type { CheckedSend } from './checked-send.ts'
import type { Content } from './content.ts'

/** The parts of sending and delivering in which one channel differs from the others. */
export interface MessageChannel {
  readonly machine: MessageMachine
  /** Reads a content in the form of the channel, and refuses any other. */
  readonly contentOf: (content: unknown, subject?: string) => Content
  /** Makes every check of a send but that of money, in the documented order (choices, "Order of checks"). */
  readonly check: (world: World, body: SendRequest, channel: Channel | undefined) => CheckedSend
  /** Finds the phone that a message goes to; undefined where it goes to a mailbox. */
  readonly deviceOf: (world: World, address: string) => Device | undefined
  /** Reads how the owner of the phone or mailbox treats messages. */
  readonly ownerLayer: (world: World, address: string) => Layer | undefined
  /** Says why a carrier turns a message away, whoever the recipient is. */
  readonly carrierRefusal: (world: World, row: MessageRow, device: Device) => CarrierRefusal | undefined
  /** Decides what becomes of a message. Explain makes the plan again with a trace, which is told each decision. */
  readonly plan: (facts: PlanFacts, draw: Draw, trace?: Trace) => Plan
}

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
