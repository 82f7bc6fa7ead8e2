import type { AnswerTo } from '../../../client/answers.ts'
import { isStop, revokeCommands, STOP_EFFECT } from '../../../words/stop.ts'
import type { Paint } from '../../output/paint.ts'

/** What a user sent, for the commands that make a phone answer. */
export function userAnswer(
  { message_id, contact_id, session_expires_at, text, postback_data }: AnswerTo<'handsets.reply'>,
  paint: Paint,
): string {
  return [
    ...(postback_data === null ? [] : [`postback_data ${postback_data}`]),
    `reply ${message_id}, session until ${session_expires_at}`,
    ...(isStop(text)
      ? [
          `${STOP_EFFECT}. To check that:  ${paint.command('listen --audit')}`,
          ...revokeCommands(contact_id).map((command) => `  By hand  ${paint.command(command)}`),
        ]
      : []),
  ].join('\n')
}
