import type { AnswerTo } from '../client/answers.ts'
import type { Client } from '../client/client.ts'
import { allItems, logAfter } from '../client/pages.ts'

/** Everything that a sandbox can tell of its world, as its answers have it. */
export interface Gathered {
  namespace: string
  clock: AnswerTo<'clock.show'>
  requests: AnswerTo<'logs.list'>['requests']
  events: AnswerTo<'events.list'>['events']
  deliveries: AnswerTo<'events.deliveries'>['data']
  transactions: AnswerTo<'billing.transactions'>['data']
  explanations: AnswerTo<'messages.explain'>[]
}

/** Asks for everything. Requests come first, so that those made here are not among them. */
export async function gather({ logs, world, messages, clock, events, billing }: Client): Promise<Gathered> {
  const requests = await Array.fromAsync(
    logAfter(
      0,
      (query) => logs.list({ ...query, full: 'true' }),
      (page) => page.requests,
    ),
  )
  const { namespace } = await world.show()
  const explanations: Gathered['explanations'] = []
  for (const { id } of await allItems(messages.list, (page) => page.messages))
    explanations.push(await messages.explain(id))
  return {
    namespace,
    clock: await clock.show(),
    requests,
    events: await Array.fromAsync(logAfter(0, events.list, (page) => page.events)),
    deliveries: await allItems(events.deliveries, (page) => page.data),
    transactions: await allItems(billing.transactions, (page) => page.data),
    explanations,
  }
}
