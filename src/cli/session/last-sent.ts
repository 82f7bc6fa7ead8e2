import { sentence } from '../../words/sentence.ts'
import { EXIT, Fault, misconfigured, usage } from '../process/exit.ts'
import { callOperation } from '../target/call-operation.ts'
import { controlTokenFault } from '../target/credentials.ts'
import type { Session } from './session.ts'

/** Stands for the id of the message that was accepted last, to any recipient. */
export const LAST = 'last'

/** Resolves {@link LAST} and an address, which stands for the newest message to it; another text is the id itself. */
export async function messageIdOf(text: string, session: Session): Promise<string> {
  if (!isAddress(text)) return recordIdOf(text, session)
  const message = await newestSent(session, text)
  if (message) return message.id
  throw noMessageTo(text, 'was sent')
}

/** As {@link messageIdOf}. Reports the newest send to an address if it was refused, because such a send leaves no message. */
export async function explainedMessageId(text: string, session: Session): Promise<string> {
  if (!isAddress(text)) return recordIdOf(text, session)
  const message = await newestSent(session, text)
  const { requests } = await callOperation(session, 'logs.list', { payload: { to: text, limit: 1 }, isLookup: true })
  const [send] = requests
  const isRefused = send?.error && (message === undefined || send.at >= message.created_at)
  const refusal = isRefused
    ? `was refused at ${send.at} with ${send.status} ${send.error} (${send.request_id}): ${send.message}`
    : undefined
  if (!message) throw noMessageTo(text, refusal ? `was accepted. The newest send to it ${refusal}` : 'was sent')
  if (refusal) {
    const hint = `To list the sends to this address: sandbox logs --to ${text}`
    session.output.warn({ type: 'refused', message: `A newer send to ${text} ${refusal}`, hint })
  }
  return message.id
}

/** A message or record has no id in this form, so that a mistyped address is refused as an address. */
const isAddress = (text: string) => text.startsWith('+') || text.includes('@')

async function newestSent(session: Session, to?: string) {
  const payload = { ...(to === undefined ? {} : { to }), direction: 'OUTBOUND', limit: 1 }
  const { messages } = await callOperation(session, 'messages.list', { payload, isLookup: true })
  if (messages[0]) return messages[0]
  // With a token of another namespace, the key sees the messages of the wrong one.
  const fault = await controlTokenFault(session)
  if (fault) throw misconfigured(fault.error, fault.hint)
  return undefined
}

const noMessageTo = (address: string, what: string) =>
  new Fault(sentence(`No message to ${address} ${what}`), {
    code: 'not_found',
    exit: EXIT.notFound,
    hint: `To list the sends to this address: sandbox logs --to ${address}`,
  })

/** Resolves {@link LAST}; another text is the id itself. */
async function recordIdOf(text: string, session: Session): Promise<string> {
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
  example: LAST,
  describe: `id of the message, an address for the newest message to it, or "${LAST}" for the message that was sent last`,
  read: messageIdOf,
}

/** Limits events to those of one record. */
export const subjectOption = {
  describe: `only events of this message, contact or other record; "${LAST}" is the message that was sent last`,
  read: recordIdOf,
}

async function lastSent(session: Session): Promise<string> {
  const message = await newestSent(session)
  if (message) return message.id
  throw usage('No message has been sent yet.', 'Send one: sandbox send +491713920000 --text "Hello"')
}
