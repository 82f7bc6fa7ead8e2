import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import type { EventRow } from './store.ts'

/** A noun that processes events further. */
export interface LogListener {
  /** Called in the transaction that writes an event. */
  written(world: World, event: EventRow): void
  /** Positions in (from, through] that must be kept beyond the bounds. */
  needed(world: World, from: number, through: number): readonly number[]
  /** Called when the events in (from, through] were dropped, except needed ones. */
  dropped(world: World, from: number, through: number): void
}

export const logListeners = hook<LogListener>()
