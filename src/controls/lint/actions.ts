import type { LintMessage } from '../../display/lint.ts'
import { requireMessage } from '../../service/messages/actions.ts'
import { toAnswer } from '../../service/messages/answer.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { lintMessage } from './contract.ts'

export const lint: AsyncAction<typeof lintMessage> = async (world, { body: { message_id, headers, ...inline } }) => {
  // Most runs check no message.
  const { lint } = await import('../../display/lint.ts')
  const message = message_id === undefined ? inline : toAnswer(requireMessage(world, message_id))
  return { findings: lint({ ...message, headers } as LintMessage) }
}
