import type { Machine, MachineStep, Row } from '../../words/machine.ts'

/**
 * Finds the shortest path through a state table that ends with a trigger. Earlier steps may only use triggers of `by`,
 * which happen by themselves. Undefined if there is no path.
 */
export function pathTo<R extends Row>(
  table: Machine<R>,
  state: string,
  trigger: string,
  by: readonly string[] = [],
): MachineStep<R>[] | undefined {
  const seen = new Set([state])
  let ways: { at: string; steps: MachineStep<R>[] }[] = [{ at: state, steps: [] }]
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

/** Lists the states from which a trigger is reachable, in table order. */
export const statesBefore = <R extends Row>(table: Machine<R>, trigger: string, by: readonly string[] = []): string[] =>
  table.states.filter((state) => pathTo(table, state, trigger, by) !== undefined)

/** Returns whether a trigger leads to this state, which means that it has already happened. */
export const leadsTo = <R extends Row>(table: Machine<R>, trigger: string, state: string): boolean =>
  table.steps.some(({ on, to }) => on === trigger && to === state)
