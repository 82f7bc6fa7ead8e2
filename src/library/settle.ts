import type { Client } from '../client/client.ts'
import { sleep } from '../http/sleep.ts'

/** Between two looks at a clock that runs, in ms of the machine. */
const LOOK_EVERY_MS = 20
/** Something else is wrong then. */
const MAX_LOOKS = 1_500

/** Resolves when all that is due has been done, deliveries and what followed from them included. Time does not move for it. */
export async function settle({ clock }: Client): Promise<void> {
  const { mode, now } = await clock.show()
  // Told to go where it stands already, time does what is due and waits for it.
  if (mode === 'frozen') return void (await clock.advance({ to: now }))
  let before: string | undefined
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { now, next_due_at } = await clock.show()
    const quiet = next_due_at === null || next_due_at > now ? String(next_due_at) : undefined
    // A clock that jumps stands still between two jumps as well.
    if (quiet !== undefined && quiet === before) return
    before = quiet
    await sleep(LOOK_EVERY_MS, new AbortController().signal)
  }
  throw new Error(
    `Work is still due after ${(MAX_LOOKS * LOOK_EVERY_MS) / 1000} s. Is a receiver slow, or a rule answering itself?`,
  )
}

export type Listed = Awaited<ReturnType<Client['events']['list']>>['events'][number]

/** The event log as it stands, from its oldest event on, or what in it concerns a lease. */
export async function* eventsOf({ events }: Client, lease?: string): AsyncGenerator<Listed> {
  for (let after = 0; ; ) {
    const page = await events.list({ after, limit: 1000, lease })
    yield* page.events
    if (!page.has_more || page.events.length === 0) return
    after = page.events.at(-1)!.seq
  }
}
