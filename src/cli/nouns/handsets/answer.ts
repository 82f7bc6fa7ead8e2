import type { AnswerTo } from '../../../client/answers.ts'
import { isStop, revokeCommands, STOP_EFFECT } from '../../../words/stop.ts'
import type { Output } from '../../output/output.ts'

type Answer = AnswerTo<'handsets.reply'>

/** What a user sent, for the commands that make a phone answer. */
export const userAnswer = ({ message_id, session_expires_at, postback_data }: Answer): string =>
  [
    ...(postback_data === null ? [] : [`postback_data ${postback_data}`]),
    `reply ${message_id}, session until ${session_expires_at}`,
  ].join('\n')

/** The answer of the service does not say that consent is unchanged. */
export function remindOfStop({ warn, withProgramName }: Output, { contact_id, text }: Answer) {
  // Only the ids of an answer are checked.
  if (!isStop(String(text))) return
  const message = withProgramName(`${STOP_EFFECT}. To check that: sandbox listen --audit. By hand:`)
  const commands = revokeCommands(contact_id).map((words) => withProgramName(`sandbox ${words}`))
  warn({ type: 'hint', message, commands }, (paint, shown) =>
    [shown.message, ...shown.commands.map((command) => `  ${paint.cyan(command)}`)].join('\n'),
  )
}
