import type { FailureChoice } from '../messages/actions.ts'

/** Data of the page's forms. */

export interface RuleRequest {
  to?: string
  text?: string
  outcome: 'delivered' | 'failed' | 'never_delivered'
  reason: FailureChoice
  times?: number
  /** `20%` */
  share?: string
}

export const CALL_FAULTS = [
  'answer 500',
  'answer 503',
  'answer 429',
  'answer after 2 s',
  'close the connection before the call runs',
  'close the connection after the call ran',
] as const
export const DELIVERY_FAULTS = ['drop', 'delay by 1 min', 'duplicate', 'wrong signature'] as const

export interface FaultRequest {
  on: 'call' | 'delivery'
  does: (typeof CALL_FAULTS)[number] | (typeof DELIVERY_FAULTS)[number]
  /** The operation or event. */
  name: string
  times?: number
}
