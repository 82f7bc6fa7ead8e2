import type { z } from 'zod'
import { transactions } from '../../service/billing/actions.ts'
import type { listTransactions } from '../../service/billing/contract.ts'
import { eventsIn } from '../../service/events/log.ts'
import { searched } from '../../service/messages/actions.ts'
import { deliveriesOf } from '../../service/webhooks/deliveries.ts'
import type { Caller } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { reading } from '../clock/actions.ts'
import type { listDeliveries } from '../events/contract.ts'
import { deliveryAnswer } from '../events/deliveries.ts'
import { explanationOf } from '../explain/actions.ts'
import type { explainMessage } from '../explain/contract.ts'
import { faultsOf } from '../faults/actions.ts'
import type { FaultInput } from '../faults/contract.ts'
import { toFullAnswer } from '../logs/exchange-record.ts'
import { requestsOf } from '../logs/log.ts'
import { endpointUrls } from './endpoints.ts'
import type { EvidenceScope } from './scope.ts'

/** Everything that a world records about a test. */
export interface Gathered {
  namespace: string
  clock: ReturnType<typeof reading>
  requests: ReturnType<typeof toFullAnswer>[]
  events: EventItem[]
  deliveries: z.input<typeof listDeliveries.output>['data']
  transactions: z.input<typeof listTransactions.output>['data']
  explanations: z.input<typeof explainMessage.output>[]
  /** By id of the endpoint, also of removed ones. */
  endpointUrls: ReadonlyMap<string, string>
  /** By id of the fault. */
  faults: ReadonlyMap<string, FaultInput>
}

interface EventItem {
  seq: number
  id: string
  event: string
  timestamp: string
  data: Readonly<Record<string, unknown>>
}

/** A larger page would be unreadable, and would delay the emulator. */
const MAX_MESSAGES = 2_000
const MAX_EVENTS = 20_000

export function gather(world: World, scope: EvidenceScope, caller: Caller): Gathered {
  const messageIds = scope.isWhole ? newestMessages(world) : scope.messageIds
  return {
    namespace: world.namespace,
    clock: reading(world),
    requests: requestsIn(world, scope),
    events: eventsOf(world, scope),
    deliveries: deliveriesIn(world, scope),
    transactions: transactionsIn(world, caller).filter(
      ({ message_id }) => scope.isWhole || scope.messageIds.includes(String(message_id)),
    ),
    explanations: messageIds.slice(0, MAX_MESSAGES).map((id) => explanationOf(world, id)),
    ...facts(world),
  }
}

/** The facts that give ids of endpoints and faults a meaning. */
export const facts = (world: World): Pick<Gathered, 'endpointUrls' | 'faults'> => ({
  endpointUrls: endpointUrls(world),
  faults: new Map(faultsOf(world).map(({ id, fault }) => [id, fault])),
})

export const requestsIn = (world: World, { mentions }: EvidenceScope) =>
  [...requestsOf(world).after(0)].map(toFullAnswer).filter((request) => mentions(JSON.stringify(request)))

export function deliveriesIn(world: World, scope: EvidenceScope): Gathered['deliveries'] {
  const seqs = scope.isWhole ? undefined : new Set(scope.events)
  return deliveriesOf(world, {}, { limit: MAX_EVENTS, beyond: null, offset: 0 })
    .filter(({ event_seq }) => seqs === undefined || seqs.has(event_seq))
    .map((row) => deliveryAnswer(world, row))
}

const eventsOf = (world: World, scope: EvidenceScope): EventItem[] =>
  eventsIn(world, {
    after: 0,
    order: 'newest',
    limit: MAX_EVENTS,
    among: scope.isWhole ? undefined : scope.events,
  })
    .map(({ seq, body }) => ({ seq, ...JSON.parse(body) }) as EventItem)
    .reverse()

const newestMessages = (world: World): string[] =>
  searched(world, {}, { limit: MAX_MESSAGES }).messages.map(({ id }) => id)

function transactionsIn(world: World, caller: Caller): Gathered['transactions'] {
  const all = transactions(world, { params: {}, query: { limit: MAX_EVENTS }, body: undefined, caller })
  return (all as z.input<typeof listTransactions.output>).data
}
