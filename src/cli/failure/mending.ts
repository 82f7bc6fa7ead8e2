import type { Refusal } from '../../client/call.ts'

/** The commands that mend a refusal, filled in; none where there is no such way. */
export function commandsAgainst({ code, body, details }: Refusal): string[] {
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
