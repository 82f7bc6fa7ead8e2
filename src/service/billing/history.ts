import { toEuros } from '../../words/money.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { balanceOf } from './movements.ts'
import { billingStore } from './store.ts'

/** The history of the balance, reduced to at most `points` points. */
export function balanceHistory(world: World, points: number) {
  const rows = world.store(billingStore).history({ points })
  return {
    total: rows.reduce((sum, { movements }) => sum + movements, 0),
    points: rows.map(({ movements, at, free, reserved, lowest, highest }) => ({
      movements,
      at: isoTime(at),
      free: toEuros(free),
      reserved: toEuros(reserved),
      lowest: toEuros(lowest),
      highest: toEuros(highest),
    })),
  }
}

export const balanceAsOf = (world: World, at: number) =>
  balanceOf(world.store(billingStore).fundsAt(at) ?? { free: 0, reserved: 0 })
