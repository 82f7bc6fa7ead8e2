import { z } from 'zod'

const event = z.int().min(0).describe('Which event of the flow, from 0, in the order in which they happened.')
const after = z.int().min(1).describe('So many places later.')

/** The perturbations of a delivery to a handler. */
export const kinds = {
  duplicate: z.strictObject({ kind: z.literal('duplicate'), event }),
  replay: z.strictObject({ kind: z.literal('replay'), event, after }),
  delay: z.strictObject({ kind: z.literal('delay'), event, after }),
  'lost-answer': z.strictObject({ kind: z.literal('lost-answer'), event, after }),
  unavailable: z.strictObject({ kind: z.literal('unavailable'), event, after }),
  timeout: z.strictObject({ kind: z.literal('timeout'), event }),
  spelling: z.strictObject({ kind: z.literal('spelling'), event }),
  forgery: z.strictObject({ kind: z.literal('forgery'), event }),
  restart: z.strictObject({ kind: z.literal('restart'), event }),
  rotation: z.strictObject({ kind: z.literal('rotation'), event }),
} as const

export type PerturbationKind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as PerturbationKind[]

/** `after` is there where the kind has it. */
export interface Perturbation {
  kind: PerturbationKind
  event: number
  after?: number
}

/** The delivered events with their perturbations. */
export interface Schedule {
  /** The delivered events of the flow, as if the endpoint had not subscribed to others. */
  events: readonly number[]
  perturbations: readonly Perturbation[]
}

/** A schedule with its flow. */
export interface SavedSchedule extends Schedule {
  flow: string
  /** The seed of the flow's choices. */
  draw: string
}

/** The form in scenario files. */
export const Deliveries = z.strictObject({
  events: z.array(z.int().min(0)).min(1).describe('Which of its events are delivered, from 0.'),
  perturbations: z
    .array(z.discriminatedUnion('kind', Object.values(kinds) as [(typeof kinds)['delay']]))
    .describe('What befalls them.'),
})
