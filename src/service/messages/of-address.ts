import type { PageRequest } from '../../words/page.ts'
import type { World } from '../../world/world.ts'
import { release } from '../billing/actions.ts'
import { listed } from './actions.ts'
import { decisionRecordStore } from './decision-record.store.ts'
import { messageStore } from './store.ts'
import { tellCampaign } from './waiting.ts'

/** Selects the messages to one address and the answers of its user, from a place in the log on. */
export interface OfAddress {
  address: string
  /** The place of the last message before them. */
  after: number
}

/** Returns the position of the newest message, from which later messages can be listed. */
export const lastMessage = (world: World): number => world.store(messageStore).lastSeq()

/** Lists the messages of an address as the message log does, newest first. */
export const listOfAddress = (world: World, { address, after }: OfAddress, page: PageRequest) =>
  listed(world, { about: address, after }, page)

const ALL = { limit: Number.MAX_SAFE_INTEGER, beyond: null, offset: 0 }

/**
 * Deletes the messages of an address and their scheduled work. Holds are released, charges stay. Queues skip
 * deleted messages, and a campaign continues as if the message had been dispatched. Returns the number of messages.
 */
export function dropOfAddress(world: World, { address, after }: OfAddress): number {
  const store = world.store(messageStore)
  const rows = store.list({ about: address, after }, ALL)
  for (const row of rows) {
    if (row.direction === 'OUTBOUND' && row.cost === null) release(world, row)
    if (row.timer_id !== null) world.timers.cancel(row.timer_id)
    if (row.status === 'queued') tellCampaign(world, row)
    world.store(decisionRecordStore).forgetMessage(row.id)
    store.remove(row.seq)
  }
  return rows.length
}
