import type { Machine, Row, Step } from './machine.ts'

type Work<S, With> = (row: S, With: With) => void
type Columns<S, With> = (row: S, With: With) => Partial<S>

/** An effect is work after the row was written; one that `sets` columns gives them before. */
type Effect<S, With> = Work<S, With> | { readonly sets: Columns<S, With>; readonly after?: Work<S, With> }

/** How the rows of a noun are moved. `With` is what its work needs besides the row. */
export interface Moves<Name extends string, S, With> {
  /** Writes the row where it still has the status that the step leads from; false where it has left it. */
  readonly write: (row: S, step: Step<Row>, With: With) => boolean
  /** One for each effect that the state table names. */
  readonly effects: Readonly<Record<Name, Effect<S, With>>>
}

/**
 * Takes the step that a state table has for a trigger: changes a copy of the row, writes it, then does everything else, in
 * the order of the table. Returns the row as it is then; undefined, and nothing is done, where the table has no such step.
 */
export function transition<R extends Row, S extends { readonly status: string }, With>(
  machine: Machine<R>,
  before: Omit<S, 'status'> & { readonly status: string },
  trigger: R[1],
  { write, effects }: Moves<Machine<R>['steps'][number]['effects'][number], S, With>,
  given: With,
): S | undefined {
  const step = machine.next(before.status, trigger)
  if (!step) return undefined
  const row = { ...before, status: step.to } as unknown as S
  const works: Effect<S, With>[] = step.effects.map((name) => effects[name])
  for (const work of works) if (typeof work !== 'function') Object.assign(row as object, work.sets(row, given))
  if (!write(row, step as unknown as Step<Row>, given))
    throw new Error(`a row has left ${step.from} before it could ${trigger}`)
  for (const work of works) {
    if (typeof work === 'function') work(row, given)
    else work.after?.(row, given)
  }
  return row
}
