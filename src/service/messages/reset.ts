import { callNobody } from '../../network/carriers/throughput.ts'
import { waitingStore } from '../../network/queue/store.ts'
import { forgetAnswers } from '../../world/storage/replays.ts'
import type { World } from '../../world/world.ts'
import { release } from '../billing/actions.ts'
import { messageWork } from './lifecycle.ts'
import { messageStore } from './store.ts'

/** The log is empty again: what was held for messages under way is free, and nothing of them is still to happen. */
export function resetMessages(world: World) {
  const store = world.store(messageStore)
  for (const row of store.unsettled()) release(world, row)
  world.timers.cancelAll(Object.keys(messageWork))
  callNobody(world)
  store.clear()
  world.store(waitingStore).clear()
  // An answer that names a message which is gone must not come again.
  forgetAnswers(world, ['messages.send', 'testAgent.send'])
}
