import { requireEndpoint } from '../../service/webhooks/actions.ts'
import { problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import * as contract from './contract.ts'
import { refuseUnknownRoutes } from './route-names.ts'
import { inWords, isExhausted } from './rules.ts'
import { type FaultRow, faultStore } from './store.ts'

export const add: Action<typeof contract.addFault> = (world, { body }) => {
  if (world.store(faultStore).count() >= contract.MAX_FAULTS)
    throw problem('limit_exceeded', `A world has at most ${contract.MAX_FAULTS} faults; remove some first.`)
  return toAnswer(place(world, body))
}

export function place(world: World, fault: contract.FaultInput): FaultRow {
  refuseUnknownRoutes(
    fault,
    world.nouns.routes.map(({ operation }) => operation),
  )
  if (fault.endpoint_id !== undefined) requireEndpoint(world, fault.endpoint_id)
  const id = world.ids.next('flt_')
  world.store(faultStore).insert(id, fault, world.now())
  return requireFault(world, id)
}

export const faultsOf = (world: World): FaultRow[] => world.store(faultStore).all()

export const list: Action<typeof contract.listFaults> = (world) => ({ faults: faultsOf(world).map(toAnswer) })

export const show: Action<typeof contract.showFault> = (world, { params }) => toAnswer(requireFault(world, params.id))

export const remove: Action<typeof contract.removeFault> = (world, { params }) => {
  const row = requireFault(world, params.id)
  world.store(faultStore).remove(row.id)
  return toAnswer(row)
}

export function removeFaultsOn(world: World, address: string) {
  for (const { id, fault } of faultsOf(world))
    if (fault.to?.toLowerCase() === address.toLowerCase()) world.store(faultStore).remove(id)
}

export const clear: Action<typeof contract.clearFaults> = (world) => ({ removed: clearAll(world) })

export const clearAll = (world: World): number => world.store(faultStore).clear()

function requireFault(world: World, id: string): FaultRow {
  const row = world.store(faultStore).get(id)
  if (!row) throw problem('not_found', `There is no fault ${id} in this world. To list the faults: sandbox faults list`)
  return row
}

const toAnswer = ({ id, fault, seen, hits, created_at }: FaultRow) => ({
  id,
  target: fault.routes ? ('api' as const) : ('webhooks' as const),
  ...fault,
  does: inWords(fault),
  seen,
  hits,
  active: !isExhausted(fault, { hits }),
  created_at: isoTime(created_at),
})
