import type { AnswerTo } from '../client/answers.ts'
import type { Client } from '../client/client.ts'
import { logAfter } from '../client/pages.ts'

/** Resolves when everything scheduled for now is done, deliveries and their consequences included. The clock does not move. */
export async function settle({ clock }: Client): Promise<void> {
  const { settled } = await clock.settle()
  if (!settled)
    throw new Error('Scheduled work is still left after 30 s. Is a receiver slow, or does a rule reply to itself?')
}

/**
 * Advances a frozen clock by nothing, which runs what is due and waits for it, after an advance in progress. Returns false
 * for other clocks.
 */
export async function settleFrozen({ clock }: Client): Promise<boolean> {
  if ((await clock.show()).mode !== 'frozen') return false
  await clock.advance({ by: '0s' })
  return true
}

export type Listed = AnswerTo<'events.list'>['events'][number]

/** Reads the event log, or the events of a lease. */
export const eventsOf = ({ events }: Client, lease?: string): AsyncGenerator<Listed> =>
  logAfter(
    0,
    (query) => events.list({ ...query, lease }),
    (page) => page.events,
  )
