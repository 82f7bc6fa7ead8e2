import type { TriggerName } from '../../controls/triggers/table.ts'
import { shellWord } from '../../words/shell.ts'
import type { FAILURE_REASONS } from '../../words/statuses.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { type PageAction, pageAction, withWords } from '../api/page-action.ts'

/** Actions on messages. */

export const trigger = (id: string, event: TriggerName, reason?: FailureChoice): PageAction =>
  withWords(`trigger ${event} --message ${id}${reason ? ` --reason ${reason}` : ''}`, 'events', 'trigger', {
    event,
    message_id: id,
    ...(reason ? { failure_reason: reason } : {}),
  } as never)

export type FailureChoice = (typeof FAILURE_REASONS)[number]

export const revoke = (id: string): PageAction => pageAction('messages', 'revoke', id)

/** Sends the same content as a new message. */
export function resend({
  channel,
  agent_id,
  channel_id,
  to,
  message_type,
  traffic_type,
  content,
  ttl,
}: MessageAnswer): PageAction {
  const sender = channel === 'RCS' ? { agent_id: agent_id! } : { channel_id: channel_id! }
  const flags: [string, string | null][] = [
    ['--agent', channel === 'RCS' ? agent_id : null],
    ['--channel', channel === 'RCS' ? null : channel_id],
    ['--message-type', message_type],
    ['--traffic-type', traffic_type],
    ['--content-json', JSON.stringify(content)],
    ['--ttl', ttl],
  ]
  const options = flags.flatMap(([flag, value]) => (value === null ? [] : [`${flag} ${shellWord(value)}`]))
  return withWords(`send ${to} ${options.join(' ')}`, 'messages', 'send', {
    ...sender,
    to,
    message_type,
    ...(traffic_type === null ? {} : { traffic_type }),
    content,
    ...(ttl === null ? {} : { ttl }),
  } as never)
}
