import { isPhone, phoneFault } from '../../../words/phone-number.ts'
import { DEFAULT_AGENT, DEFAULT_CHANNEL } from '../../../words/worlds.ts'
import { fieldOf, formOf } from '../../generate/form.ts'
import type { Session } from '../../session/session.ts'
import { type MissingField, type PromptedRequest, promptForMissing } from '../../session/wizard.ts'
import { callOperation } from '../../target/call-operation.ts'
import { isEmail, type SendFields } from './request.ts'

const choicesOf = (name: string) => fieldOf('messages.send', name).choices!

const FIELDS = formOf('messages.send').map(({ name }) => name)

/** Fills in what the sandbox knows, asks a person for the rest, and refuses an incomplete request. */
export async function completeRequest(session: Session, request: SendFields): Promise<PromptedRequest> {
  // The channel decides which fields are needed.
  const first =
    request.to === undefined ? needs(request).filter(({ field }) => field === 'to' || field === 'content') : []
  const addressed = await promptForMissing(session, { request, typed: [] }, first, FIELDS, HELP)
  const presets = await presetsFor(session, addressed.request)
  const filled = { ...presets, ...addressed.request }
  const missing = needs(filled)
  // Asks for nothing if the world of this key is unavailable: the send itself reports the reason.
  if (presets && missing.length > 0 && (await session.endpoint.isEmulator()))
    await callOperation(session, 'world.health', { isLookup: true })
  return promptForMissing(session, { ...addressed, request: filled }, missing, FIELDS, HELP)
}

const HELP = 'See: sandbox send --help'

/** Undefined if nothing is filled in. */
async function presetsFor(session: Session, request: SendFields): Promise<SendFields | undefined> {
  const wanted: SendFields = isEmail(request.to)
    ? { channel_id: DEFAULT_CHANNEL }
    : request.channel_id !== undefined
      ? {}
      : {
          agent_id: session.io.env.SANDBOX_AGENT || DEFAULT_AGENT,
          message_type: 'MESSAGE',
          traffic_type: 'TRANSACTION',
        }
  const lacks = Object.keys(wanted).some((field) => request[field] === undefined)
  if (!lacks || request.to === undefined || (isEmail(request.to) && request.agent_id !== undefined)) return undefined
  // Outside a sandbox a guessed sender could reach a real person.
  const isChosen = !isEmail(request.to) && Boolean(session.io.env.SANDBOX_AGENT)
  return isChosen || (await session.endpoint.isEmulator()) ? wanted : undefined
}

function needs(request: SendFields): MissingField[] {
  const email = isEmail(request.to)
  const rcs = !email && request.channel_id === undefined
  const all: (MissingField | false)[] = [
    {
      field: 'to',
      flag: '<to>',
      question: { message: 'Recipient (phone number or email address)?', default: '+491713920000' },
      faultOf: (to) => (isEmail(to) || isPhone(to) ? undefined : phoneFault(to)),
    },
    email && { field: 'channel_id', flag: '--channel', question: { message: 'Which channel (ch_…)?' } },
    rcs && { field: 'agent_id', flag: '--agent', question: { message: 'From which agent (ag_…)?' } },
    rcs && {
      field: 'message_type',
      flag: '--message-type',
      question: { message: 'Which message type?', choices: choicesOf('message_type'), default: 'MESSAGE' },
    },
    rcs && {
      field: 'traffic_type',
      flag: '--traffic-type',
      question: { message: 'Which traffic type?', choices: choicesOf('traffic_type'), default: 'TRANSACTION' },
    },
    email && lacksSubject(request) && { field: 'subject', flag: '--subject', question: { message: 'Subject?' } },
    request.template_id === undefined && {
      field: 'content',
      flag: `the content (${email ? '--text, --html' : '--text, --content'} or --template)`,
      question: { message: 'Text of the message?' },
      read: (text) => ({ text }),
    },
  ]
  return all.filter((need) => need !== false).filter(({ field }) => request[field] === undefined)
}

const lacksSubject = ({ content, template_id }: SendFields) =>
  template_id === undefined && (content as { subject?: unknown } | undefined)?.subject === undefined
