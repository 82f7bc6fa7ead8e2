import type { Refusal } from '../../client/call.ts'
import { operationAt } from '../../client/operation-of.ts'
import { kebab } from '../../words/kebab.ts'
import { placeOf } from '../../words/operation.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'

type RefusalFacts = Pick<Refusal, 'status' | 'code' | 'body' | 'details'> & Partial<Pick<Refusal, 'route' | 'headers'>>

export interface Remedy {
  hint: string | undefined
  /** Commands to type. */
  commands: string[]
}

/** The remedy is shown with the message, because another service may not include one. */
export function remedyOf(refused: RefusalFacts): Remedy {
  const { status, code, details } = refused
  const own = REMEDIES[code]?.(refused)
  if (own) return own
  if (isUnknownRoute(refused)) return { hint: UNKNOWN_ROUTE, commands: [] }
  // The details of a broken field say more than the general remedy of its code.
  const remedy = details.length > 0 ? undefined : problems[code as ProblemCode]?.remedy
  const hint =
    HINTS[code] ??
    placeOfId(details) ??
    (status === 401 && code !== 'control_token_required'
      ? 'Pass a valid key with --api-key or SANDBOX_API_KEY. To see which key is used, and why: sandbox status'
      : code === `http_${status}`
        ? OTHER_PROGRAM
        : remedy && withCommands(remedy))
  return { hint, commands: [] }
}

/** Only `sandbox api` calls routes that are no operations. */
function isUnknownRoute({ status, route }: RefusalFacts): boolean {
  const [method = '', path = ''] = route?.split(/[ ?]/) ?? []
  return status === 404 && route !== undefined && !operationAt(method, path)
}

/** The refusals of a service have a code (interface §7). */
export const OTHER_PROGRAM = 'Check the base URL: a proxy, a login page or another program may have answered.'

const UNKNOWN_ROUTE =
  'The service has no such route. Check the method and the path; "sandbox commands" lists all operations.'

/** Writes the routes in a text as commands. */
export const withCommands = (text: string) =>
  text.replace(/\b([A-Z]{3,6}) (\/[\w/{}]+)/g, (route, method: string, path: string) => {
    const operation = operationAt(method, path)
    if (!operation) return route
    const { noun, verb } = placeOf(operation)
    const steps = path.split('/')
    const args = operation.path.split('/').flatMap((step, i) => (step.startsWith('{') ? [steps[i]!] : []))
    const verbs = operation.id === 'consent.record' ? 'grant' : kebab(verb)
    const words = [kebab(noun), verbs, ...args.map((arg) => arg.replace(/^\{(.*)\}$/, '<$1>'))]
    return `"sandbox ${words.join(' ')}"`
  })

const RECORD_CONSENT = 'If this person has agreed, or it is your own number, record the consent'

/** Where the ids of a form are found. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/ c_<uuid>/, 'contacts get <external_id>'],
  [/ (ag|ch|tpl)_\w*<uuid>/, 'world show'],
  [/ msg_<uuid>/, 'messages list'],
  [/ rule_<uuid>/, 'rules list'],
  [/ cr_<uuid>/, 'consent list <contact>'],
]

/** The hint for a value that is not an id. */
function placeOfId(details: RefusalFacts['details']): string | undefined {
  const [, command] = PLACES.find(([form]) => details.some(({ message }) => form.test(message))) ?? []
  return command && `Find the id with "sandbox ${command}".`
}

const HINTS: Readonly<Record<string, string>> = {
  template_data_missing: 'Pass each variable with --var, such as --var name=Ada.',
}

/** Remedies with commands, by code; undefined if the refusal lacks a value for them. */
const REMEDIES: Readonly<Record<string, (refused: RefusalFacts) => Remedy | undefined>> = {
  service_unavailable: againLater,
  storage_unavailable: withSameKey,
  missing_consent: (refused) =>
    refused.body.consent_status === 'PENDING' ? confirmRemedy(refused.body) : consentRemedy(refused),
  consent_pending: ({ body }) => confirmRemedy(body),
  insufficient_balance: ({ body }) => ({ hint: ADD_MONEY, commands: [`sandbox billing topup ${topupFor(body)}`] }),
  not_found: listRemedy,
  nothing_to_answer: messageRemedy,
  trigger_precondition_failed: (refused) =>
    refused.details[0]?.code === 'nothing_to_answer'
      ? messageTo(refused.body.subject, 'reply', refused.body)
      : undefined,
}

/** Snapshots and namespaces are found with any key. */
function listRemedy({ route = '', body }: RefusalFacts): Remedy | undefined {
  const [, noun] = /\/_sandbox\/(snapshots|namespaces)\//.exec(route) ?? []
  if (noun === undefined) return undefined
  const list = `sandbox ${noun} list`
  return { hint: String(body.message).includes(list) ? undefined : `Check the name: ${list}`, commands: [] }
}

/** The message itself names the cause to remove. */
function withSameKey({ headers = {} }: RefusalFacts): Remedy {
  const key = headers['idempotency-key']
  return { hint: key && `To repeat the call safely: --idempotency-key ${key}.`, commands: [] }
}

function againLater(refused: RefusalFacts): Remedy {
  const { hint = 'Run the command again later.', commands } = withSameKey(refused)
  return { hint, commands }
}

function consentRemedy({ body, details }: Pick<RefusalFacts, 'body' | 'details'>) {
  // A refusal with details concerns the agent, not the recipient.
  if (details.length > 0) return undefined
  const { to, contact_id, channel_type, message_type, revoked_at } = body
  if (revoked_at !== undefined) return { hint: problems.consent_revoked.remedy, commands: [] }
  // These values come from the service and go into a shell command, so unexpected characters are refused.
  if (!isMatch(ADDRESS, to) || !isMatch(WORD, channel_type) || !isMatch(WORD, message_type)) return undefined
  const contactId = isMatch(CONTACT, contact_id) ? contact_id : undefined
  const address = to.includes('@') ? 'email' : 'phone'
  const commands = [
    ...(contactId ? [] : [`sandbox contacts create --${address} ${to} --external-id ${to}`]),
    `sandbox consent grant ${contactId ?? to} --channel-type ${channel_type} --message-type ${message_type} --source "by hand"`,
  ]
  return { hint: `${RECORD_CONSENT} and send again:`, commands }
}

/** The confirmation of a record, which the sandbox gives for the contact. */
function confirmRemedy({ contact_id, channel_type, message_type }: RefusalFacts['body'], record?: string) {
  if (!isMatch(CONTACT, contact_id)) return undefined
  if (record === undefined && !(isMatch(WORD, channel_type) && isMatch(WORD, message_type))) return undefined
  const which = record ?? `--channel-type ${channel_type} --message-type ${message_type}`
  return { hint: CONFIRM, commands: [`sandbox consent confirm ${contact_id} ${which}`] }
}

const CONFIRM = 'Wait for the contact to open the confirmation link. In a sandbox, open it for the contact:'

const ADD_MONEY = 'Add money, or wait until holds are released:'

/** At least 100 EUR, so that the next sends have money too. */
const topupFor = ({ required_amount }: RefusalFacts['body']) =>
  Math.max(1, Math.ceil((Number(required_amount) || 0) / 100)) * 100

/** The options of a message that has what the action needs. */
const ANSWERABLE: Readonly<Record<string, string>> = {
  reply: '--text Hello',
  tap: '--text Hello --suggest-reply Yes',
}
const EMAIL = `--subject Hello --html '<a href="https://example.com">Hello</a>'`

/** For an action on a phone or mailbox without a message for it. */
function messageRemedy(refused: RefusalFacts): Remedy | undefined {
  const path = decodeURIComponent(refused.route ?? '')
  const [, address, action = ''] = /\/(?:handsets|mailboxes)\/([^/]+)\/(\w+)$/.exec(path) ?? []
  return messageTo(address, action, refused.body)
}

function messageTo(address: unknown, action: string, body: RefusalFacts['body']): Remedy | undefined {
  if (!isMatch(ADDRESS, address)) return undefined
  const { unconfirmed: [record] = [], consent_status } = body as { unconfirmed?: unknown[]; consent_status?: unknown }
  if (isMatch(RECORD, record)) return confirmRemedy(body, record)
  if (consent_status === 'PENDING') return confirmRemedy(body)
  if (consent_status === 'REVOKED') return { hint: problems.consent_revoked.remedy, commands: [] }
  const message = address.includes('@') ? EMAIL : ANSWERABLE[action]
  // Without consent the message would be refused.
  const consent = consent_status === 'GRANTED' ? undefined : consentRemedy({ body, details: [] })
  return {
    hint: consent ? `${RECORD_CONSENT}. ${SEND_ONE}` : SEND_ONE,
    commands: [...(consent?.commands ?? []), `sandbox send ${address} ${message}`, `sandbox inbox show ${address}`],
  }
}

const SEND_ONE = 'Send a message and wait for its delivery (on a frozen clock: "sandbox clock advance 1m"):'

const ADDRESS = /^(\+\d{7,15}|[\w.+-]{1,64}@[\w.-]{1,200})$/
const WORD = /^[A-Z]{1,30}$/
const CONTACT = /^c_[\w-]{1,60}$/
const RECORD = /^cr_[\w-]{1,60}$/

const isMatch = (form: RegExp, value: unknown): value is string => typeof value === 'string' && form.test(value)
