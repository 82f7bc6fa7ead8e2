import { Refusal } from '../../client/call.ts'
import { suggest } from '../../words/suggest.ts'
import { reportFailure } from '../failure/failure.ts'
import type { Output } from '../output/output.ts'
import { printable } from '../output/printable.ts'
import { type Fault, usage } from '../process/exit.ts'
import type { Question } from '../process/io.ts'
import type { Session } from './session.ts'

export type RequestFields = Record<string, unknown>

/** A field that a request lacks, and the question that asks for it. */
export interface MissingField {
  field: string
  /** The flag that would have given it. */
  flag: string
  question: Question
  /** The fault of an answer; undefined for a valid one. */
  faultOf?(answer: string): string | undefined
  /** Converts the answer to the field's value. */
  read?(answer: string): unknown
}

export interface PromptedRequest {
  request: RequestFields
  /** The fields that the user has typed in. */
  typed: readonly MissingField[]
}

/** The error about what a request lacks. A misspelt field of a file is named, because it may be what is missing. */
export function lacking(
  flags: readonly string[],
  request: RequestFields,
  fields: readonly string[],
  help: string,
): Fault {
  const misspelt = Object.keys(request).find((name) => !fields.includes(name))
  const also =
    misspelt === undefined
      ? ''
      : ` Unknown field "${misspelt}"${suggest(misspelt, fields) || `; fields: ${fields.join(', ')}.`}`
  return usage(`Missing ${flags.join('; ')}.${also}`, help)
}

/** Asks for missing fields; without a terminal they are a usage error. */
export async function promptForMissing(
  { output }: Session,
  { request, typed }: PromptedRequest,
  missing: readonly MissingField[],
  fields: readonly string[],
  help: string,
): Promise<PromptedRequest> {
  if (missing.length > 0 && !output.canAsk)
    throw lacking(
      missing.map(({ flag }) => flag),
      request,
      fields,
      help,
    )
  const answered = await ask(output, request, missing)
  return { ...answered, typed: [...typed, ...answered.typed] }
}

/** Each answer becomes the default of its question, should that be repeated. */
async function ask(output: Output, request: RequestFields, needs: readonly MissingField[]): Promise<PromptedRequest> {
  const answers: RequestFields = {}
  const typed: MissingField[] = []
  for (const need of needs) {
    const { field, question, faultOf = () => undefined, read = String } = need
    let answer = await output.ask(question)
    for (let fault = faultOf(answer); fault !== undefined; fault = faultOf(answer)) {
      const words = `"${answer}" ${fault}.`
      output.note((paint) => paint.yellow(`! ${printable(words)}`))
      answer = await output.ask({ ...question, default: answer })
    }
    answers[field] = read(answer)
    typed.push({ ...need, question: { ...question, default: answer } })
  }
  return { request: { ...request, ...answers }, typed }
}

/** Sends a request. If the service refuses typed answers, asks for these again and keeps the others. */
export async function sendUntilAccepted<T>(
  session: Session,
  { request, typed }: PromptedRequest,
  send: (request: RequestFields) => Promise<T>,
): Promise<T> {
  try {
    return await send(request)
  } catch (error) {
    const again = error instanceof Refusal ? refusedAnswers(error, typed) : []
    if (again.length === 0) throw error
    reportFailure(error, session.output)
    const corrected = await ask(session.output, request, again)
    const latest = typed.map((need) => corrected.typed.find(({ field }) => field === need.field) ?? need)
    return sendUntilAccepted(session, { ...corrected, typed: latest }, send)
  }
}

/** Another answer cannot change these: wrong key, no money, rate limit. */
const UNMENDABLE_STATUSES = [401, 402, 429]

/** Finds the answers that a refusal is about; all of them where it names no field. */
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
