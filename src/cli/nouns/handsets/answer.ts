import type { AnswerTo } from '../../../client/answers.ts'
import { isStop, STOP_EFFECT } from '../../../words/stop.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

type Answer = AnswerTo<'handsets.reply'>

/** What a user sent, for the commands that make a phone answer. */
export const userAnswer = ({ message_id, session_expires_at, postback_data }: Answer): string =>
  [
    ...(postback_data === null ? [] : [`postback_data ${postback_data}`]),
    `reply ${message_id}, session until ${session_expires_at}`,
  ].join('\n')

/** The answer of the service does not say that consent is unchanged. */
export async function remindOfStop(session: Session, { contact_id, text }: Answer) {
  // Only the ids of an answer are checked.
  if (!isStop(String(text))) return
  const { warn, withProgramName } = session.output
  const { consent_records } = await callOperation(session, 'consent.list', {
    params: { id: contact_id },
    isLookup: true,
  })
  const commands = consent_records
    .filter(({ channel_type, status }) => channel_type === 'RCS' && status !== 'REVOKED')
    .map(({ id }) => withProgramName(`sandbox consent revoke ${contact_id} ${id}`))
  if (commands.length === 0) return
  const message = withProgramName(`${STOP_EFFECT}. To check that: sandbox listen --audit. By hand:`)
  warn({ type: 'hint', message, commands }, (paint, shown) =>
    [shown.message, ...shown.commands.map((command) => `  ${paint.typed(command)}`)].join('\n'),
  )
}
