import { release } from '../billing/actions.ts'
import { callNobody } from '../carriers/room.ts'
import { forgetReplays } from '../world/replays.ts'
import type { World } from '../world/world.ts'
import { messageWork } from './life.ts'
import { messageStore } from './store.ts'
import { waitingStore } from './waiting-store.ts'

/** The log is empty again: what was held for messages under way is free, and nothing of them is still to happen. */
export function resetMessages(world: World) {
  const store = world.store(messageStore)
  for (const row of store.unsettled()) release(world, row)
  world.cancelAll(Object.keys(messageWork))
  callNobody(world)
  store.clear()
  world.store(waitingStore).clear()
  // An answer that names a message which is gone must not come again.
  forgetReplays(world, ['messages.send', 'testAgent.send'])
}
