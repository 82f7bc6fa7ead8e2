import { HOUR } from '../../words/duration.ts'
import type { LocalWork } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { emit } from '../events/log.ts'
import { type SessionRow, sessionStore } from './store.ts'

/** Interface §8. */
const SESSION_MS = 24 * HOUR

export const SESSION_END = 'conversation.end'

export interface Tap {
  type: 'suggested_reply' | 'suggested_action'
  text: string
  postback_data: string | null
}

export type UserMessage = { type: 'text'; text: string } | Tap

/** The session of an agent and a phone that is open now. */
export function openSession(world: World, agentId: string, phone: string): SessionRow | undefined {
  const session = world.store(sessionStore).get(agentId, phone)
  return session && session.expires_at > world.now() ? session : undefined
}

/** Interface §3.3: a reply opens a session for 24 hours, or moves the end of the open one. */
export function replied(world: World, agentId: string, phone: string, message: UserMessage) {
  const store = world.store(sessionStore)
  const expires_at = world.now() + SESSION_MS
  endIfOver(world, agentId, phone)
  const open = openSession(world, agentId, phone)
  if (open) world.timers.cancel(open.timer_id)
  const timer_id = world.timers.schedule(SESSION_END, `${agentId} ${phone}`, expires_at)
  const times = { agent_id: agentId, phone, expires_at, timer_id }
  if (open) store.extend(times)
  else store.insert({ ...times, started_at: world.now(), fee_message_id: null })
  emit(world, 'conversation.started', `${agentId} ${phone}`, {
    agent_id: agentId,
    from: phone,
    session_expires_at: isoTime(expires_at),
    user_message: {
      type: message.type,
      text: message.text,
      postback_data: message.type === 'text' ? null : message.postback_data,
    },
  })
}

/** A reply may arrive at the end of a session before its end was processed; the old session ends first. */
function endIfOver(world: World, agentId: string, phone: string) {
  const session = world.store(sessionStore).get(agentId, phone)
  if (!session || session.expires_at > world.now()) return
  world.timers.cancel(session.timer_id)
  end(world, session)
}

/** Ends all sessions silently, because sessions do not exist without messages. */
export function resetSessions(world: World) {
  world.timers.cancelAll([SESSION_END])
  world.store(sessionStore).clear()
}

/** Ends the sessions of one phone silently. */
export function dropSessions(world: World, phone: string) {
  for (const { agent_id, timer_id } of world.store(sessionStore).ofPhone(phone)) {
    world.timers.cancel(timer_id)
    world.store(sessionStore).remove(agent_id, phone)
  }
}

/** Due work: ends a session after 24 hours without a reply. */
export const endSession: LocalWork = (world, { subject }) => {
  const session = world.store(sessionStore).get(...(subject.split(' ') as [string, string]))
  if (session) end(world, session)
}

export function endNow(world: World, agentId: string, phone: string) {
  const session = world.store(sessionStore).get(agentId, phone)!
  world.timers.cancel(session.timer_id)
  end(world, { ...session, expires_at: world.now() })
}

function end(world: World, { agent_id, phone, expires_at }: SessionRow) {
  world.store(sessionStore).remove(agent_id, phone)
  emit(world, 'conversation.ended', `${agent_id} ${phone}`, {
    agent_id,
    with: phone,
    ended_at: isoTime(expires_at),
    reason: 'ttl_expired',
  })
}

/** The first CONVERSATION send of a session carries its fee. */
export const recordFee = (world: World, agentId: string, phone: string, messageId: string) =>
  world.store(sessionStore).setFee(messageId, agentId, phone)

/** The send with the fee has failed, so the next one pays it. */
export const forgetFee = (world: World, messageId: string) => world.store(sessionStore).clearFee(messageId)
