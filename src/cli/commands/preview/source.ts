import type { HandsetSender, RcsContent } from '../../../display/handset/shapes.ts'
import { usage } from '../../process/exit.ts'
import { objectIn } from '../../process/files.ts'
import { LAST, messageIdOf } from '../../session/last-sent.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export interface PreviewSource {
  content: RcsContent
  sender: HandsetSender
}

const NOBODY: HandsetSender = { name: 'Your agent', isVerified: true }

/** Reads the content of a file, checked as a send would check it, or of a message. */
export const previewSource = (session: Session, what: string): Promise<PreviewSource> =>
  what === LAST || what.startsWith('msg_') ? ofMessage(session, what) : ofFile(session, what)

async function ofFile({ io }: Session, path: string): Promise<PreviewSource> {
  const object = await objectIn(io, path)
  const [{ sendFields }, { validate }] = await Promise.all([
    import('../../../service/messages/contract.ts'),
    import('../../../words/validate.ts'),
  ])
  const content = validate(sendFields.content, object.content ?? object, 'body') as RcsContent
  return { content: requireRcs(content, path), sender: NOBODY }
}

async function ofMessage(session: Session, what: string): Promise<PreviewSource> {
  const id = await messageIdOf(what, session)
  const { channel, content, agent_id } = await callOperation(session, 'messages.get', { params: { id } })
  if (channel === 'EMAIL') throw usage(`${id} is an email.`, `See it in the inspector: sandbox open ${id}`)
  // The Test Agent has no record.
  const agent =
    agent_id && (await callOperation(session, 'agents.get', { params: { id: agent_id } }).catch(() => undefined))
  const sender = agent ? { name: agent.display_name ?? NOBODY.name, isVerified: agent.status === 'APPROVED' } : NOBODY
  return { content: requireRcs(content as RcsContent, id), sender }
}

function requireRcs(content: RcsContent, what: string): RcsContent {
  if ((content.text === undefined) !== (content.rich_card === undefined)) return content
  throw usage(`${what} holds nothing that a phone shows: content has either text or rich_card.`)
}
