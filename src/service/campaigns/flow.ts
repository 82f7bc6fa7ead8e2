/** Connections between nodes, whatever the nodes do. */

export interface LinkedNode {
  id: string
  node: string
  next?: string | undefined
  yes?: string | undefined
  no?: string | undefined
}

export interface FlowFault {
  index: number
  field: string
  code: string
  message: string
}

type Way = { field: 'next' | 'yes' | 'no'; to: string | undefined }

/** The ways out of a node; by default to the next in the list. */
function waysFrom(flow: readonly LinkedNode[], index: number): Way[] {
  const { node, next, yes, no } = flow[index]!
  if (node === 'END') return []
  if (node === 'CONDITION')
    return [
      { field: 'yes', to: yes },
      { field: 'no', to: no },
    ]
  return [{ field: 'next', to: next ?? flow[index + 1]?.id }]
}

/** The next node of one with a single way out, which exists in a valid flow. */
export const following = (flow: readonly LinkedNode[], index: number): string => waysFrom(flow, index)[0]!.to!

/** Finds what prevents contacts from reaching an END, with node and field. */
export function faultsOf(flow: readonly LinkedNode[]): FlowFault[] {
  const faults = [...doubledIds(flow), ...danglingWays(flow)]
  return faults.length > 0 || flow.length === 0 ? faults : circlesAndIslands(flow)
}

const doubledIds = (flow: readonly LinkedNode[]): FlowFault[] =>
  flow.flatMap(({ id }, index) =>
    flow.findIndex((other) => other.id === id) === index
      ? []
      : [{ index, field: 'id', code: 'duplicate', message: `another node has the id ${id}` }],
  )

function danglingWays(flow: readonly LinkedNode[]): FlowFault[] {
  const nodes = new Set(flow.map(({ id }) => id))
  return flow.flatMap((_, index) =>
    waysFrom(flow, index).flatMap(({ field, to }): FlowFault[] => {
      if (to === undefined)
        return [{ index, field, code: 'required', message: 'has no next node: name one, or add an END after it' }]
      return nodes.has(to) ? [] : [{ index, field, code: 'unknown_node', message: `unknown node ${to}` }]
    }),
  )
}

/** Finds cycles, in which contacts would be sent to for ever, and unreachable nodes. */
function circlesAndIslands(flow: readonly LinkedNode[]): FlowFault[] {
  const indexOf = new Map(flow.map(({ id }, index) => [id, index]))
  const faults: FlowFault[] = []
  const visited = new Set<number>()
  const path = new Set<number>()
  const visit = (index: number) => {
    visited.add(index)
    path.add(index)
    for (const { field, to } of waysFrom(flow, index)) {
      const target = indexOf.get(to!)!
      if (path.has(target))
        faults.push({
          index,
          field,
          code: 'circle',
          message: `leads back to ${to}; a contact would never reach an END`,
        })
      else if (!visited.has(target)) visit(target)
    }
    path.delete(index)
  }
  visit(0)
  for (const [index, { id }] of flow.entries())
    if (!visited.has(index))
      faults.push({ index, field: 'id', code: 'unreachable', message: `${id} cannot be reached from the first node` })
  return faults
}

/** The highest cost from each node to an END. */
export function highestCosts(flow: readonly LinkedNode[], costOf: (index: number) => number): (id: string) => number {
  const indexOf = new Map(flow.map(({ id }, index) => [id, index]))
  const nodes = new Map<string, number>()
  const dearest = (id: string): number => {
    const before = nodes.get(id)
    if (before !== undefined) return before
    const index = indexOf.get(id)!
    const rest = waysFrom(flow, index).map(({ to }) => dearest(to!))
    const cost = costOf(index) + Math.max(0, ...rest)
    nodes.set(id, cost)
    return cost
  }
  return dearest
}
