import { endNow, openSession } from '../../service/conversations/actions.ts'
import { type MessageRow, requireMessage } from '../../service/messages/actions.ts'
import type { World } from '../../world/world.ts'
import { sessionsOf } from '../handsets/actions.ts'
import { answer, suggestionAt, toAnswerOn } from '../handsets/user-actions.ts'
import type { TriggerRequest } from './contract.ts'
import {
  asTriggerRefusal,
  oneStep,
  preconditionFailed,
  type TriggerAction,
  type TriggerActions,
  type TriggerSubject,
} from './precondition.ts'

/** The table of interface §3.3 has an open session and none. */
const NONE = 'none'
const OPEN = 'open'

/** A message can be answered once it was delivered, read or not. */
const ANSWERABLE = ['delivered', 'read'] as const

const started: TriggerAction = (world, request) => {
  const row = answered(world, request)
  const subject: TriggerSubject = { event: request.event, field: 'message_id', id: row.id, state: row.status }
  const { text, index } = request
  const content =
    text === undefined ? asTriggerRefusal(subject, () => suggestionAt(row, index!)) : ({ type: 'text', text } as const)
  const from = openSession(world, row.agent_id!, row.recipient) ? OPEN : NONE
  const subjectId = `${row.agent_id} ${row.recipient}`
  return {
    ...oneStep(subjectId, text === undefined ? 'tap' : 'reply', from, OPEN),
    answer: answer(world, row, content),
  }
}

function answered(world: World, { event, message_id, phone, agent_id }: TriggerRequest): MessageRow {
  if (message_id !== undefined) return checked(requireMessage(world, message_id), event)
  const subject: TriggerSubject = { event, field: 'phone', id: phone!, state: null }
  return asTriggerRefusal(subject, () => toAnswerOn(world, phone!, agent_id))
}

function checked(row: MessageRow, event: string): MessageRow {
  const subject: TriggerSubject = { event, field: 'message_id', id: row.id, state: row.status }
  if (row.direction === 'INBOUND')
    throw preconditionFailed(subject, {
      code: 'inbound',
      message: `${row.id} came from a user; only sent messages can be answered.`,
    })
  if (row.channel !== 'RCS')
    throw preconditionFailed(subject, {
      code: 'wrong_channel',
      message: `${row.id} is not an RCS message, so its recipient cannot reply.`,
    })
  if (row.delivered_at !== null) return row
  const message = `${row.id} is ${row.status}; for ${event} it must be ${ANSWERABLE.join(' or ')}.`
  throw preconditionFailed(subject, { code: 'wrong_state', message, needs: ANSWERABLE })
}

const ended: TriggerAction = (world, { event, phone, agent_id }) => {
  const agents = sessionsOf(world, phone!).map((session) => session.agent_id)
  const subject: TriggerSubject = { event, field: 'phone', id: phone!, state: NONE }
  const open = agent_id === undefined ? agents : agents.filter((agent) => agent === agent_id)
  if (open.length === 0) {
    const message = `No session${agent_id ? ` of ${agent_id}` : ''} is open with ${phone}. A reply opens one: sandbox trigger conversation.started`
    throw preconditionFailed(subject, { code: 'no_session', message, needs: [OPEN] })
  }
  if (open.length > 1) {
    const message = `Several sessions are open. Give agent_id: ${phone} has sessions with ${open.join(', ')}.`
    throw preconditionFailed({ ...subject, state: OPEN }, { code: 'several_sessions', message })
  }
  endNow(world, open[0]!, phone!)
  return oneStep(`${open[0]} ${phone}`, 'end', OPEN, NONE)
}

export const conversationTriggers: TriggerActions<'conversation'> = {
  'conversation.started': started,
  'conversation.ended': ended,
}
