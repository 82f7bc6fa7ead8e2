import type { Machine, MachineStep, Row } from './machine.ts'

type Work<S, With> = (row: S, With: With) => void
type Columns<S, With> = (row: S, With: With) => Partial<S>

/** An effect runs after the row is written; one that `sets` columns supplies them before. */
type Effect<S, With> = Work<S, With> | { readonly sets: Columns<S, With>; readonly after?: Work<S, With> }

/** The writes and effects of a noun's states. `With` is what its effects need besides the row. */
export interface Moves<Name extends string, S, With> {
  /** Writes the row if it still has the status before the step; false otherwise. */
  readonly write: (row: S, step: MachineStep<Row>, With: With) => boolean
  /** An implementation for each effect of the state table. */
  readonly effects: Readonly<Record<Name, Effect<S, With>>>
}

/**
 * Applies the state table to a trigger: changes a copy of the row, writes it, then runs the effects in table order.
 * Returns the new row; undefined, without any change, where the table has no such step.
 */
export function transition<R extends Row, S extends { readonly status: string }, With>(
  machine: Machine<R>,
  before: Omit<S, 'status'> & { readonly status: string },
  trigger: R[1],
  { write, effects }: Moves<Machine<R>['steps'][number]['effects'][number], S, With>,
  input: With,
): S | undefined {
  const step = machine.next(before.status, trigger)
  if (!step) return undefined
  const row = { ...before, status: step.to } as unknown as S
  for (const name of step.effects) {
    const effect: Effect<S, With> = effects[name]
    if (typeof effect !== 'function') Object.assign(row as object, effect.sets(row, input))
  }
  if (!write(row, step as unknown as MachineStep<Row>, input))
    throw new Error(`a row has left ${step.from} before it could ${trigger}`)
  for (const name of step.effects) {
    const effect: Effect<S, With> = effects[name]
    if (typeof effect === 'function') effect(row, input)
    else effect.after?.(row, input)
  }
  return row
}
