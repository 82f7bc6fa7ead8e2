import type { World } from '../../world/world.ts'
import { arrive, next } from './lifecycle.ts'
import { callNext } from './waiting.ts'

/**
 * This many messages arrive at once when a phone is switched on. The rest follow as due work, so that no request waits.
 */
const AT_ONCE = 200

/** A phone was switched on: the messages that waited for it arrive, in the order in which they were sent. */
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
