import { valueAt } from '../words/path.ts'
import { PAUSED_STATUSES, UNDELIVERED_STATUSES } from '../words/statuses.ts'
import { parseWhere } from '../words/where.ts'
import type { StepOf } from './schema.ts'

/** A record that replaces an event where there is no event log: it is polled until it shows that the event happened. */
export interface WatchedRecord {
  /** The operation that reads the record. */
  call: string
  /** The field of `where` that identifies the record. */
  by: string
  /** The event's data as far as the record shows it; undefined before the event. */
  data(record: Record<string, unknown>): Record<string, unknown> | undefined
  /** The reason why the event can no longer happen. */
  over?(record: Record<string, unknown>): string | undefined
}

/** Finds an event in a message's timeline: `message.delivered` is `delivered` there. */
const ofMessage = (type: string): WatchedRecord => ({
  call: 'messages.get',
  by: 'message_id',
  data(record) {
    const events = (record.events as { type: string; at: string }[] | undefined) ?? []
    if (!events.some((one) => one.type === type) && record.status !== type) return undefined
    return { ...record, message_id: record.id ?? record.message_id }
  },
  over: ({ status, failure_reason }) =>
    UNDELIVERED_STATUSES.some((end) => end === status)
      ? `the message is ${status}${failure_reason ? `: ${failure_reason}` : ''}`
      : undefined,
})

const ofStatus = (call: string, by: string, statuses: readonly string[]): WatchedRecord => ({
  call,
  by,
  data: (record) => (statuses.includes(String(valueAt(record, 'status'))) ? record : undefined),
})

const CAMPAIGN = {
  'campaign.started': ['RUNNING', 'COMPLETED', 'COMPLETED_PARTIAL'],
  'campaign.paused': PAUSED_STATUSES,
  'campaign.completed': ['COMPLETED', 'COMPLETED_PARTIAL'],
}
const AGENT = { 'agent.approved': ['APPROVED'], 'agent.rejected': ['REJECTED'] }

/** The record for an event, where there is one. */
export function recordOfEvent(event: string): WatchedRecord | undefined {
  const [family, type = ''] = event.split('.')
  if (family === 'message' || family === 'email') return ofMessage(type)
  const campaign = CAMPAIGN[event as keyof typeof CAMPAIGN]
  if (campaign) return ofStatus('campaigns.status', 'campaign_id', campaign)
  const agent = AGENT[event as keyof typeof AGENT]
  return agent && ofStatus('agents.get', 'agent_id', agent)
}

/** The value that `where` demands of a field of `data`, if any. */
export const namedIn = (where: StepOf<'wait'>['where'] = {}, field: string): unknown =>
  Array.isArray(where)
    ? where.map((text) => parseWhere(text)!).find(({ path, equals }) => equals && path.at(-1) === field)?.equals?.value
    : where[field]
