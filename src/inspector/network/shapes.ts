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
  'answer 2 s late',
  'break off before the call is carried out',
  'break off after the call is carried out',
] as const
export const DELIVERY_FAULTS = ['drop', 'delay by 1 min', 'duplicate', 'sign badly'] as const

export interface FaultRequest {
  on: 'call' | 'delivery'
  does: (typeof CALL_FAULTS)[number] | (typeof DELIVERY_FAULTS)[number]
  /** The operation or event. */
  name: string
  times?: number
}
