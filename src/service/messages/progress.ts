import type { World } from '../../world/world.ts'
import { type MessageRow, messageStore } from './store.ts'

/** How far a message can have come. An email counts as read when it is opened. */
export type Progress = 'delivered' | 'read' | 'replied'

const hasCome: Readonly<Record<Progress, (world: World, row: MessageRow) => boolean>> = {
  delivered: (_, row) => row.delivered_at !== null,
  read: (_, row) => row.read_at !== null || row.opened_at !== null,
  replied: (world, row) => world.store(messageStore).isAnswered(row),
}

/** Says whether a message has come so far by now. */
export const hasComeTo = (world: World, messageId: string, progress: Progress): boolean =>
  hasCome[progress](world, world.store(messageStore).get(messageId)!)

const LOST: ReadonlySet<string> = new Set(['failed', 'expired', 'revoked', 'bounced'])

/** Says whether a message has ended without arriving. */
export const isLost = (world: World, messageId: string): boolean =>
  LOST.has(world.store(messageStore).get(messageId)!.status)
