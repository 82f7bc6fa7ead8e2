import { Refusal } from '../../client/call.ts'
import { reportFailure } from '../failure/failure.ts'
import { usage } from '../process/exit.ts'
import type { Question } from '../process/io.ts'
import type { Session } from './session.ts'

export type Request = Record<string, unknown>

/** Something that a request lacks, and how a person is asked for it. */
export interface MissingField {
  field: string
  /** How it is said without being asked. */
  flag: string
  question: Question
  /** The answer as the field of the request. */
  read?(answer: string): unknown
}

export interface PromptedRequest {
  request: Request
  /** What a person was asked for. */
  typed: readonly MissingField[]
}

/** Asks for what is missing. Where nobody can be asked, that is a mistake of whoever called. */
export async function promptForMissing(
  { io, output }: Session,
  { request, typed }: PromptedRequest,
  missing: readonly MissingField[],
  help: string,
): Promise<PromptedRequest> {
  if (missing.length > 0 && !output.canAsk) throw usage(`Missing ${missing.map(({ flag }) => flag).join('; ')}.`, help)
  const answers: Request = {}
  for (const need of missing) answers[need.field] = await promptFor(io, need)
  return { request: { ...request, ...answers }, typed: [...typed, ...missing] }
}

async function promptFor(io: Session['io'], { question, read = (answer) => answer }: MissingField): Promise<unknown> {
  const answer = await io.ask(question)
  lastAnswers.set(question, answer)
  return read(answer)
}

/** What was answered last, which is the default when the same is asked again. */
const lastAnswers = new WeakMap<Question, string>()

/** Sends a request until it is taken: of what a person typed, the service may refuse some, and the rest is not lost by that. */
export async function sendUntilAccepted<T>(
  session: Session,
  { request, typed }: PromptedRequest,
  send: (request: Request) => Promise<T>,
): Promise<T> {
  try {
    return await send(request)
  } catch (error) {
    const again = error instanceof Refusal ? refusedAnswers(error, typed) : []
    if (again.length === 0) throw error
    reportFailure(error, session.output)
    const corrected: Request = { ...request }
    for (const need of again) {
      const question = { ...need.question, default: lastAnswers.get(need.question)! }
      lastAnswers.set(question, question.default)
      corrected[need.field] = await promptFor(session.io, { ...need, question })
      lastAnswers.set(need.question, lastAnswers.get(question)!)
    }
    return sendUntilAccepted(session, { request: corrected, typed }, send)
  }
}

/** No other answer helps against these. */
const UNMENDABLE_STATUSES = [401, 402, 429]

/** Which answers a refusal is about; all where it does not say. */
function refusedAnswers({ status, code, details }: Refusal, typed: readonly MissingField[]): readonly MissingField[] {
  if (status >= 500 || UNMENDABLE_STATUSES.includes(status)) return []
  const fields = details.length > 0 ? details.map(({ field }) => field.split('.')[0]!) : (FIELDS_OF_CODE[code] ?? [])
  const blamed = typed.filter(({ field }) => fields.includes(field))
  return blamed.length > 0 || fields.length > 0 ? blamed : typed
}

const FIELDS_OF_CODE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['missing_consent', 'consent_pending', 'consent_revoked', 'recipient_suppressed', 'device_not_rcs_capable'].map(
      (code) => [code, ['to']],
    ),
  ),
  no_active_session: ['to', 'message_type'],
  message_type_not_allowed: ['message_type'],
  agent_not_approved: ['agent_id'],
  agent_not_launched: ['agent_id'],
  channel_inactive: ['channel_id'],
  domain_not_verified: ['channel_id'],
}
