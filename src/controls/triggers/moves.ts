import type { World } from '../../world/world.ts'
import type { Step, TriggerRequest } from './contract.ts'
import type { TriggerName } from './table.ts'

/** What a noun says of a move that it made. */
export interface Moved {
  subject: string
  from: string
  to: string
  steps: readonly Step[]
  message_id?: string
}

/** What each field says, once the contract has seen to it that those of the event are there. */
export type Pull = (world: World, request: TriggerRequest) => Moved

export type Pulls<Prefix extends string> = { readonly [E in Extract<TriggerName, `${Prefix}.${string}`>]: Pull }

/** A single step. */
export const oneStep = (subject: string, trigger: string, from: string, to: string): Moved => ({
  subject,
  from,
  to,
  steps: [{ trigger, from, to }],
})
