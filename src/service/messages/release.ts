import { callNext } from '../../network/queue/actions.ts'
import type { World } from '../../world/world.ts'
import { arrive, next } from './lifecycle.ts'

/** So many arrive at once when a phone is switched on; the rest follow as due work, which keeps no request waiting. */
const AT_ONCE = 200

/** A phone was switched on: what waited for it arrives, in the order it was sent. */
export function deliverWaiting(world: World, phone: string) {
  let arrived = 0
  for (let row = callNext(world, { phone }); row; row = callNext(world, { phone })) {
    if (arrived++ < AT_ONCE) {
      arrive(world, row)
      continue
    }
    if (row.timer_id !== null) world.timers.cancel(row.timer_id)
    next(world, row, 'deliver', world.now())
  }
}
