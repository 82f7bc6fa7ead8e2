/** A row of a state table: state, trigger, next state, then effects in their order. */
export type Row = readonly [from: string, on: string, to: string, ...effects: string[]]

type From<R extends Row> = R[0]
type On<R extends Row> = R[1]
type To<R extends Row> = R[2]
type Effect<R extends Row> = R extends readonly [string, string, string, ...infer E] ? E[number] & string : never

export interface MachineStep<R extends Row> {
  readonly from: From<R>
  readonly on: On<R>
  readonly to: To<R>
  readonly effects: readonly Effect<R>[]
}

export interface Machine<R extends Row> {
  readonly steps: readonly MachineStep<R>[]
  readonly states: readonly (From<R> | To<R>)[]
  readonly triggers: readonly On<R>[]
  /** The step of a trigger from a state; undefined if the table refuses it. */
  next(state: string, trigger: On<R>): MachineStep<R> | undefined
}

export type MachineState<M> = M extends Machine<infer R> ? From<R> | To<R> : never
export type MachineTrigger<M> = M extends Machine<infer R> ? On<R> : never
export type MachineEffect<M> = M extends Machine<infer R> ? Effect<R> : never

/** Builds a state table. Throws where two rows have the same state and trigger. */
export function machine<const R extends Row>(rows: readonly R[]): Machine<R> {
  // Nested maps, because a lookup happens on every step and must not build a key.
  const byState = new Map<string, Map<string, MachineStep<R>>>()
  const steps = rows.map(([from, on, to, ...effects]) => ({ from, on, to, effects }) as unknown as MachineStep<R>)
  for (const step of steps) {
    const rowsOf = byState.get(step.from) ?? new Map<string, MachineStep<R>>()
    if (rowsOf.has(step.on)) throw new Error(`two rows for ${step.from} on ${step.on}`)
    byState.set(step.from, rowsOf.set(step.on, step))
  }
  return {
    steps,
    states: [...new Set(steps.flatMap((step) => [step.from, step.to]))] as (From<R> | To<R>)[],
    triggers: [...new Set(steps.map((step) => step.on))],
    next: (state, trigger) => byState.get(state)?.get(trigger),
  }
}
