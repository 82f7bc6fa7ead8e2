import { durationMs } from '../../words/duration.ts'
import type { World } from '../../world/world.ts'
import { type ContactRow, changeContact, contactByRef } from '../contacts/actions.ts'
import { MAX_TAGS } from '../contacts/contract.ts'
import { hasComeTo, isLost } from '../messages/reading.ts'
import { sendFor } from '../messages/send.ts'
import { addressOf } from './audience.ts'
import type { Definition, Node, Send, SendNode } from './definition.contract.ts'
import { hasNoMoney } from './estimate.ts'
import { type ExecutionRow, executionStore } from './execution.store.ts'
import { following } from './flow.ts'
import { endOf, type Hindrance, takesFallback } from './rules.ts'

/** The outcome of a visit to a node. */
type VisitResult =
  | { goes: 'on'; to: string }
  | { goes: 'waiting'; forMs: number; to: string }
  /** The node completes when its message has left the queue. */
  | { goes: 'sending'; messageId: string; to: string }
  /** Completed, unless there is a reason. */
  | { goes: 'out'; reason: Hindrance | null }
  /** The contact waits for money. */
  | { goes: 'nowhere' }

interface Visit<Kind extends Node['node'] = Node['node']> {
  world: World
  campaignId: string
  node: Extract<Node, { node: Kind }>
  /** The next node of a node with one way out. */
  next: () => string
  /** Changed by the node before it is stored. */
  execution: ExecutionRow
}

/**
 * Moves a contact through the flow until it sends, waits, ends or lacks money, in the caller's transaction, so a crash
 * leaves no half step. Returns false without money.
 */
export function proceed(world: World, { campaign_id, flow }: Definition, before: ExecutionRow): boolean {
  const execution = { ...before }
  const from = before.node ?? flow[0]!.id
  let outcome: VisitResult = { goes: 'on', to: from }
  let at = from
  while (outcome.goes === 'on') {
    at = outcome.to
    const index = flow.findIndex(({ id }) => id === at)
    const visit = { world, campaignId: campaign_id, node: flow[index]!, next: () => following(flow, index), execution }
    outcome = visits[visit.node.node](visit as never)
    // A contact without money visits the node again.
    if (outcome.goes !== 'nowhere') execution.path += execution.path === '' ? index : ` ${index}`
  }
  // A contact past its first node has started, even without money for the next one.
  const status = at === from ? before.status : 'in_progress'
  world.store(executionStore).save(before, {
    ...execution,
    status,
    node: at,
    queued: 1,
    awaits: null,
    ...positionColumns(world, execution, outcome),
  })
  return outcome.goes !== 'nowhere'
}

/** The columns of an execution's position. */
function positionColumns(world: World, { seq, contact_id }: ExecutionRow, outcome: VisitResult): Partial<ExecutionRow> {
  if (outcome.goes === 'out') {
    const { reason } = outcome
    return { status: reason === null ? 'completed' : endOf(reason), reason, node: null, queued: 0 }
  }
  if (outcome.goes === 'sending')
    return { status: 'in_progress', node: outcome.to, queued: 0, awaits: outcome.messageId }
  if (outcome.goes !== 'waiting') return {}
  world.timers.schedule('campaign.wait', contact_id, world.now() + outcome.forMs, String(seq))
  return { status: 'in_progress', node: outcome.to, queued: 0 }
}

const visits: { readonly [Kind in Node['node']]: (visit: Visit<Kind>) => VisitResult } = {
  SEND: visitSend,
  WAIT: ({ node, next }) => ({ goes: 'waiting', forMs: durationMs(node.for), to: next() }),
  CONDITION: ({ world, node, execution: { message_id } }) => ({
    goes: 'on',
    to: message_id !== null && hasComeTo(world, message_id, node.when) ? node.yes : node.no,
  }),
  TAG({ world, node, next, execution }) {
    const contact = contactByRef(world, execution.contact_id)
    if (!contact) return { goes: 'out', reason: 'contact_deleted' }
    const tags = retagged(JSON.parse(contact.tags), node)
    if (tags.length > MAX_TAGS) return { goes: 'out', reason: 'too_many_tags' }
    changeContact(world, contact, { tags })
    return { goes: 'on', to: next() }
  },
  END: ({ world, execution: { message_id } }) => ({
    goes: 'out',
    reason: message_id !== null && isLost(world, message_id) ? 'message_lost' : null,
  }),
}

function retagged(
  tags: readonly string[],
  { add, remove }: { add?: string | undefined; remove?: string | undefined },
): string[] {
  const kept = tags.filter((tag) => tag !== remove)
  return add === undefined || kept.includes(add) ? kept : [...kept, add]
}

function visitSend({ world, campaignId, node, next, execution }: Visit<'SEND'>): VisitResult {
  if (hasNoMoney(world)) return { goes: 'nowhere' }
  const contact = contactByRef(world, execution.contact_id)
  if (!contact) return { goes: 'out', reason: 'contact_deleted' }
  const sent = sendWithFallback(world, campaignId, node, contact)
  if (sent === 'insufficient_balance') return { goes: 'nowhere' }
  if (typeof sent === 'string') return { goes: 'out', reason: sent }
  world.store(executionStore).recordSend(execution.seq, node.id, sent.message_id)
  execution.message_id = sent.message_id
  return { goes: 'sending', messageId: sent.message_id, to: next() }
}

type Sent = { message_id: string } | Hindrance

function sendWithFallback(world: World, campaignId: string, node: SendNode, contact: ContactRow): Sent {
  const sent = sendTo(world, campaignId, node, contact)
  if (typeof sent !== 'string' || node.fallback === 'none' || !takesFallback(sent)) return sent
  return sendTo(world, campaignId, node.fallback, contact)
}

function sendTo(world: World, campaignId: string, send: Send, contact: ContactRow): Sent {
  const to = addressOf(world, send, contact)
  if (to === null) return 'no_address'
  const sent = sendFor(world, { ...send, to }, campaignId)
  return 'message_id' in sent ? sent : sent.code
}
