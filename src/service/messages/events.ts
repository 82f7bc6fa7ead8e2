import type { Plan } from '../../network/carriers/plan.rules.ts'
import { firstLinkOf } from '../../words/mail-links.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { emit } from '../events/log.ts'
import type { Trigger } from './states.ts'
import type { MessageRow, NewMessage } from './store.ts'

/** Details of a manual step that the plan does not contain. */
export interface UserAction {
  isByHand?: boolean
  /** The link that was clicked. */
  url?: string
  bounceType?: 'hard' | 'soft'
}

type Named = Pick<NewMessage, 'id' | 'agent_id' | 'channel_id' | 'recipient' | 'channel' | 'content'>

/** RCS events carry agent_id, those of other channels channel_id (interface §2.1 and §6). */
const head = ({ id, agent_id, channel_id, recipient }: Named) =>
  agent_id === null
    ? { message_id: id, channel_id: channel_id!, to: recipient }
    : { message_id: id, agent_id, to: recipient }

const mailHead = (row: Named) => ({
  message_id: row.id,
  channel_id: row.channel_id!,
  to: row.recipient,
  subject: JSON.parse(row.content).subject as string,
})

export const emitQueued = (world: World, message: NewMessage) =>
  emit(world, 'message.queued', message.id, {
    ...head(message),
    status: 'queued',
    queued_at: isoTime(message.created_at),
  })

/** Emits the event of each trigger that has one (interface §6 and the catalogue). */
const eventOf: { [T in Trigger]?: (world: World, row: MessageRow, at: string, action: UserAction) => void } = {
  deliver(world, row, at) {
    if (row.channel === 'EMAIL') emit(world, 'email.delivered', row.id, { ...mailHead(row), delivered_at: at })
    else emit(world, 'message.delivered', row.id, { ...head(row), status: 'delivered', delivered_at: at })
  },
  read: (world, row, at) =>
    emit(world, 'message.read', row.id, {
      message_id: row.id,
      agent_id: row.agent_id!,
      to: row.recipient,
      status: 'read',
      read_at: at,
    }),
  fail: (world, row, at) =>
    emit(world, 'message.failed', row.id, {
      ...head(row),
      status: 'failed',
      failed_at: at,
      failure_reason: row.failure_reason!,
    }),
  expire: (world, row, at) =>
    emit(world, 'message.expired', row.id, { ...head(row), status: 'expired', expired_at: at }),
  revoke: (world, row, at) => emit(world, 'message.revoked', row.id, { ...head(row), revoked_at: at }),
  bounce(world, row, at, action) {
    const bounceType = bounceTypeOf(row, action)
    emit(world, 'email.bounced', row.id, {
      ...mailHead(row),
      bounce_type: bounceType,
      ...BOUNCES[bounceType],
      bounced_at: at,
    })
  },
  open: (world, row, at) => emit(world, 'email.opened', row.id, { ...mailHead(row), opened_at: at }),
  click: (world, row, at, { url }) =>
    emit(world, 'email.clicked', row.id, {
      ...mailHead(row),
      url: url ?? firstLinkOf(JSON.parse(row.content)) ?? '',
      clicked_at: at,
    }),
  complain: (world, row, at) => emit(world, 'email.complained', row.id, { ...mailHead(row), complained_at: at }),
  unsubscribe: (world, row, at) => emit(world, 'email.unsubscribed', row.id, { ...mailHead(row), unsubscribed_at: at }),
}

/** A manual bounce has its own type; any other has that of the plan. */
export const bounceTypeOf = ({ plan }: MessageRow, { bounceType }: UserAction): 'hard' | 'soft' =>
  bounceType ?? (JSON.parse(plan!) as Plan & { outcome: 'bounced' }).bounceType

/** Enhanced status codes of RFC 3463. */
const BOUNCES = {
  hard: { bounce_code: '5.1.1', bounce_message: 'The mailbox does not exist.' },
  soft: { bounce_code: '4.2.2', bounce_message: 'The mailbox is full.' },
} as const

export const emitStep = (world: World, row: MessageRow, trigger: Trigger, action: UserAction) =>
  eventOf[trigger]?.(world, row, isoTime(world.now()), action)
