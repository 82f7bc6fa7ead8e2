import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import type { EventRow } from '../events/log.ts'
import type { AttemptRow } from './delivery.store.ts'

/** Called with each attempt, in the transaction that records it. */
export type AttemptListener = (world: World, event: EventRow, url: string, made: AttemptRow, endpointId: string) => void

export const attemptListeners = hook<AttemptListener>()

/** Adds headers to a delivery. */
export type MoreHeaders = (world: World, event: EventRow) => Readonly<Record<string, string>>

export const moreHeaders = hook<MoreHeaders>()

/** The headers of an event's deliveries beyond those of every webhook. */
export const moreHeadersOf = (world: World, event: EventRow): Readonly<Record<string, string>> =>
  Object.assign({}, ...moreHeaders.of(world).map((headersOf) => headersOf(world, event)))
