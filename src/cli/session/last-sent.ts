import { usage } from '../process/exit.ts'
import { callOperation } from '../target/call-operation.ts'
import type { Session } from './session.ts'

/** Stands for the id of the message that was accepted last, to any recipient. */
export const LAST = 'last'

/** Resolves {@link LAST}; another text is the id itself. */
export async function messageIdOf(text: string, session: Session): Promise<string> {
  if (text === LAST) return lastSent(session)
  if (/^req_[\w-]+$/.test(text))
    throw usage(`${text} is the id of a request, not of a message.`, `To see the request: sandbox logs show ${text}`)
  return text
}

/** As {@link messageIdOf}, but refuses an unknown message, of which no event would ever arrive. */
export async function knownMessageId(text: string, session: Session): Promise<string> {
  const id = await messageIdOf(text, session)
  await callOperation(session, 'messages.get', { params: { id }, isLookup: true })
  return id
}

export const messageArgument = {
  name: 'message',
  describe: `id of the message, or "${LAST}" for the last one accepted`,
  read: messageIdOf,
}

/** Limits events to those of one record. */
export const subjectOption = {
  describe: `only events of this message, contact or other record; "${LAST}" is the last message accepted`,
  read: messageIdOf,
}

async function lastSent(session: Session): Promise<string> {
  const { messages } = await callOperation(session, 'messages.list', {
    payload: { direction: 'OUTBOUND', limit: 1 },
    isLookup: true,
  })
  const [message] = messages
  if (message) return message.id
  throw usage('No message has been sent yet.', 'Send one: sandbox send +491713920000 --text "Hello"')
}
