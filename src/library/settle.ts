import type { AnswerTo } from '../client/answers.ts'
import type { Client } from '../client/client.ts'
import { logAfter } from '../client/pages.ts'
import { sleep } from '../http/sleep.ts'

/** Interval of checks of a running clock, machine ms. */
const LOOK_EVERY_MS = 20
/** More checks mean that something is wrong. */
const MAX_LOOKS = 1_500

/** Resolves when everything due is done, deliveries and their consequences included. The clock does not move. */
export async function settle(client: Client): Promise<void> {
  if (await settleFrozen(client)) return
  let before: string | undefined
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { now, next_due_at } = await client.clock.show()
    const quiet = next_due_at === null || next_due_at > now ? String(next_due_at) : undefined
    // An auto clock also rests between two jumps.
    if (quiet !== undefined && quiet === before) return
    before = quiet
    await sleep(LOOK_EVERY_MS, new AbortController().signal)
  }
  throw new Error(
    `Work is still due after ${(MAX_LOOKS * LOOK_EVERY_MS) / 1000} s. Is a receiver slow, or a rule answering itself?`,
  )
}

/**
 * Advances a frozen clock by nothing, which runs what is due and waits for it, after an advance under way. Returns false
 * for other clocks.
 */
export async function settleFrozen({ clock }: Client): Promise<boolean> {
  if ((await clock.show()).mode !== 'frozen') return false
  await clock.advance({ by: '0s' })
  return true
}

export type Listed = AnswerTo<'events.list'>['events'][number]

/** Reads the event log, or the events of a lease, after a position. */
export const eventsOf = ({ events }: Client, lease?: string, after = 0): AsyncGenerator<Listed> =>
  logAfter(
    after,
    (query) => events.list({ ...query, lease }),
    (page) => page.events,
  )
