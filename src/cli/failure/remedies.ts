import type { Refusal } from '../../client/call.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'

type Refused = Pick<Refusal, 'status' | 'code' | 'body' | 'details'>

export interface Mending {
  hint: string | undefined
  /** What mends it, to be typed. */
  commands: string[]
}

/** What to do about a refusal. The message of the sandbox says it too; that of another service may not. */
export function mendingOf(refused: Refused): Mending {
  const commands = remedyCommands(refused)
  if (commands.length > 0) return { hint: AGREED, commands }
  const { status, code, details } = refused
  // Of a broken field, the details say more than the remedy of all such refusals.
  const remedy = details.length > 0 ? undefined : problems[code as ProblemCode]?.remedy
  const hint = HINTS[code] ?? (status === 401 ? 'Pass the key with --api-key or SANDBOX_API_KEY.' : remedy)
  return { hint, commands }
}

const AGREED = 'Where this person has agreed, as to your own number, record it and send again:'

const HINTS: Readonly<Record<string, string>> = {
  control_token_required:
    'Pass the token that "sandbox start" showed there with --control-token or SANDBOX_CONTROL_TOKEN.',
}

/** The commands that mend a refusal, filled in; none where there is no such way. */
function remedyCommands({ code, body, details }: Refused): string[] {
  // With details it is about the agent.
  if (code !== 'missing_consent' || details.length > 0) return []
  const { to, contact_id, channel_type, message_type } = body
  // They are meant to be typed into a shell, and a service could have written anything there.
  if (!isMatch(ADDRESS, to) || !isMatch(WORD, channel_type) || !isMatch(WORD, message_type)) return []
  const known = isMatch(CONTACT, contact_id) ? contact_id : undefined
  const address = to.includes('@') ? 'email' : 'phone'
  return [
    ...(known ? [] : [`sandbox contacts create --${address} ${to} --external-id ${to}`]),
    `sandbox consent grant ${known ?? to} --channel-type ${channel_type} --message-type ${message_type} --source "by hand"`,
  ]
}

const ADDRESS = /^(\+\d{7,15}|[\w.+-]{1,64}@[\w.-]{1,200})$/
const WORD = /^[A-Z]{1,30}$/
const CONTACT = /^c_[\w-]{1,60}$/

const isMatch = (form: RegExp, value: unknown): value is string => typeof value === 'string' && form.test(value)
