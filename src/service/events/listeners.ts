import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import type { EventRow } from './store.ts'

/** Somebody who goes on working with events. */
export interface LogListener {
  /** An event was written, in the transaction that is still open. */
  written(world: World, event: EventRow): void
  /** Positions after `from`, up to and with `through`, that must stay though the log has reached its bounds. */
  needed(world: World, from: number, through: number): readonly number[]
  /** The same stretch was dropped, but for what is needed. */
  dropped(world: World, from: number, through: number): void
}

export const logListeners = hook<LogListener>('event log')
