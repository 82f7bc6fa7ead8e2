import type { Machine, Row, Step } from '../../words/machine.ts'

/**
 * Finds the shortest way through a state table that ends with a trigger. Before it only triggers of `by` may be taken,
 * which happen by themselves. Undefined where there is none.
 */
export function pathTo<R extends Row>(
  table: Machine<R>,
  state: string,
  trigger: string,
  by: readonly string[] = [],
): Step<R>[] | undefined {
  const seen = new Set([state])
  let ways: { at: string; steps: Step<R>[] }[] = [{ at: state, steps: [] }]
  while (ways.length > 0) {
    for (const { at, steps } of ways) {
      const last = table.next(at, trigger as R[1])
      if (last) return [...steps, last]
    }
    ways = ways.flatMap(({ at, steps }) =>
      by.flatMap((on) => {
        const step = table.next(at, on as R[1])
        if (!step || seen.has(step.to)) return []
        seen.add(step.to)
        return [{ at: step.to, steps: [...steps, step] }]
      }),
    )
  }
  return undefined
}

/** Lists the states from which a trigger can be reached, in the order of the table. */
export const statesBefore = <R extends Row>(table: Machine<R>, trigger: string, by: readonly string[] = []): string[] =>
  table.states.filter((state) => pathTo(table, state, trigger, by) !== undefined)

/** Says whether a trigger leads to this state, so that it need not be pulled. */
export const leadsTo = <R extends Row>(table: Machine<R>, trigger: string, state: string): boolean =>
  table.steps.some(({ on, to }) => on === trigger && to === state)
