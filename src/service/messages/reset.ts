import { forgetWaiting } from '../../network/carriers/throughput.ts'
import { clearQueues } from '../../network/queue/actions.ts'
import { forgetAnswers } from '../../world/storage/replays.ts'
import type { World } from '../../world/world.ts'
import { release } from '../billing/actions.ts'
import { decisionRecordStore } from './decision-record.store.ts'
import { messageWork } from './due-work.ts'
import { messageStore } from './store.ts'

/** Empties the log. Holds of messages in progress are released, and their due work is cancelled. */
export function resetMessages(world: World) {
  const store = world.store(messageStore)
  for (const row of store.unsettled()) release(world, row)
  world.timers.cancelAll(Object.keys(messageWork))
  forgetWaiting(world)
  store.clear()
  clearQueues(world)
  world.store(decisionRecordStore).forgetMessages()
  // A replay would name a message that is deleted.
  forgetAnswers(world, ['messages.send', 'testAgent.send'])
}
