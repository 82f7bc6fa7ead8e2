import { parseWhere } from '../words/where.ts'
import type { StepOf } from './schema.ts'
import { at } from './template.ts'

/** What stands for an event where there is no event log: a record that is looked at until it shows that the event happened. */
export interface WatchedRecord {
  /** The operation that shows the record. */
  call: string
  /** The field of `where` that names it. */
  by: string
  /** The data of the event as far as the record tells it; undefined while it has not happened. */
  data(record: Record<string, unknown>): Record<string, unknown> | undefined
  /** Why it cannot happen any more; undefined while it can. */
  over?(record: Record<string, unknown>): string | undefined
}

const ENDED = new Set(['failed', 'expired', 'revoked', 'bounced'])

/** How a message tells of an event: `message.delivered` is in its timeline as `delivered`. */
const ofMessage = (type: string): WatchedRecord => ({
  call: 'messages.get',
  by: 'message_id',
  data(record) {
    const events = (record.events as { type: string; at: string }[] | undefined) ?? []
    if (!events.some((one) => one.type === type) && record.status !== type) return undefined
    return { ...record, message_id: record.id ?? record.message_id }
  },
  over: ({ status, failure_reason }) =>
    ENDED.has(String(status)) ? `the message is ${status}${failure_reason ? `: ${failure_reason}` : ''}` : undefined,
})

const ofStatus = (call: string, by: string, statuses: readonly string[]): WatchedRecord => ({
  call,
  by,
  data: (record) => (statuses.includes(String(at(record, 'status'))) ? record : undefined),
})

const CAMPAIGN = {
  'campaign.started': ['RUNNING', 'COMPLETED', 'COMPLETED_PARTIAL'],
  'campaign.paused': ['PAUSED', 'PAUSED_ERROR', 'PAUSED_BALANCE'],
  'campaign.completed': ['COMPLETED', 'COMPLETED_PARTIAL'],
}
const AGENT = { 'agent.approved': ['APPROVED'], 'agent.rejected': ['REJECTED'] }

/** What stands for an event, where something does. */
export function recordOfEvent(event: string): WatchedRecord | undefined {
  const [family, type = ''] = event.split('.')
  if (family === 'message' || family === 'email') return ofMessage(type)
  const campaign = CAMPAIGN[event as keyof typeof CAMPAIGN]
  if (campaign) return ofStatus('campaigns.status', 'campaign_id', campaign)
  const agent = AGENT[event as keyof typeof AGENT]
  return agent && ofStatus('agents.get', 'agent_id', agent)
}

/** What `where` says that a field of the data is; undefined where it says nothing of it. */
export const namedIn = (where: StepOf<'wait'>['where'] = {}, field: string): unknown =>
  Array.isArray(where)
    ? where.map((text) => parseWhere(text)!).find(({ path, equals }) => equals && path.at(-1) === field)?.equals?.value
    : where[field]
