import type { World } from '../../world/world.ts'
import type { Step, TriggerRequest } from './contract.ts'
import type { TriggerName } from './table.ts'

/** A move that a noun has made. */
export interface Moved {
  subject: string
  from: string
  to: string
  steps: readonly Step[]
  message_id?: string
}

/** Pulls a trigger. The contract has checked that the fields of the event are there. */
export type Pull = (world: World, request: TriggerRequest) => Moved

export type Pulls<Prefix extends string> = { readonly [E in Extract<TriggerName, `${Prefix}.${string}`>]: Pull }

/** Tells of a move that was a single step. */
export const oneStep = (subject: string, trigger: string, from: string, to: string): Moved => ({
  subject,
  from,
  to,
  steps: [{ trigger, from, to }],
})
