import type { z } from 'zod'
import { toDecimal } from '../../words/money.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { MessageLog, TimelineType } from './contract.ts'
import type { MessageRow } from './store.ts'

/** The message log object of interface §2.6. */
export function logOf(row: MessageRow): z.input<typeof MessageLog> {
  return {
    id: row.id,
    direction: row.direction,
    channel: row.channel,
    channel_id: row.channel_id,
    agent_id: row.agent_id,
    contact_id: row.contact_id,
    campaign_id: row.campaign_id,
    to: row.recipient,
    message_type: row.message_type,
    traffic_type: row.traffic_type,
    content_type: row.content_type,
    content: JSON.parse(row.content),
    template_id: row.template_id,
    status: row.status,
    failure_reason: row.failure_reason,
    error_message: row.error_message,
    ttl: row.ttl,
    cost: row.cost === null ? null : toDecimal(row.cost),
    created_at: isoTime(row.created_at),
    sent_at: isoTimeOrNull(row.dispatch_at),
    delivered_at: isoTimeOrNull(row.deliver_at),
    read_at: isoTimeOrNull(row.read_at),
    failed_at: isoTimeOrNull(row.fail_at),
    expired_at: isoTimeOrNull(row.expire_at),
    revoked_at: isoTimeOrNull(row.revoke_at),
    events: timelineOf(row),
  }
}

/** Stamps in the order in which they can happen, so that equal instants keep it. */
const STEPS = [
  ['dispatch_at', 'sent'],
  ['deliver_at', 'delivered'],
  ['open_at', 'opened'],
  ['click_at', 'clicked'],
  ['read_at', 'read'],
  ['bounce_at', 'bounced'],
  ['fail_at', 'failed'],
  ['expire_at', 'expired'],
  ['revoke_at', 'revoked'],
] as const satisfies readonly (readonly [keyof MessageRow, TimelineType])[]

function timelineOf(row: MessageRow): { type: TimelineType; at: string }[] {
  const first = {
    type: row.direction === 'INBOUND' ? ('received' as const) : ('queued' as const),
    at: isoTime(row.created_at),
  }
  const later = STEPS.filter(([column]) => row[column] !== null)
    .map(([column, type]) => ({ type, at: isoTime(row[column]!) }))
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
  return [first, ...later]
}
