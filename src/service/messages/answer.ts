import type { z } from 'zod'
import { byTime } from '../../words/by-time.ts'
import { toDecimal } from '../../words/money.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { MessageLog, TimelineType } from './contract.ts'
import type { MessageRow } from './store.ts'

/** Shapes a row as the message log object of interface §2.6. */
export function toAnswer(row: MessageRow): z.input<typeof MessageLog> {
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
    sent_at: isoTimeOrNull(row.sent_at),
    delivered_at: isoTimeOrNull(row.delivered_at),
    read_at: isoTimeOrNull(row.read_at),
    failed_at: isoTimeOrNull(row.failed_at),
    expired_at: isoTimeOrNull(row.expired_at),
    revoked_at: isoTimeOrNull(row.revoked_at),
    events: timelineOf(row),
  }
}

/**
 * The types are in the order in which they can happen, so that equal instants keep it. The column `<type>_at` stamps
 * each.
 */
const LATER = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'read',
  'bounced',
  'failed',
  'expired',
  'revoked',
] as const satisfies TimelineType[]

function timelineOf(row: MessageRow): { type: TimelineType; at: string }[] {
  const first = {
    type: row.direction === 'INBOUND' ? ('received' as const) : ('queued' as const),
    at: isoTime(row.created_at),
  }
  const later = LATER.filter((type) => row[`${type}_at`] !== null)
    .map((type) => ({ type, at: isoTime(row[`${type}_at`]!) }))
    .sort(byTime)
  return [first, ...later]
}
