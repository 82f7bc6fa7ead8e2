import { isOfKind } from './kinds.ts'

/** `interface`: named there (§7); `chosen`: decided here; `sandbox`: only a sandbox answers it. */
type Source = 'interface' | 'chosen' | 'sandbox'

type Row = readonly [status: number, meaning: string, remedy: string, source?: Source]

/**
 * All error codes (interface §7 and the choices), with meaning and remedy; `chosen` by default. Codes of the sandbox
 * concern what a service does not have: control plane, namespaces, a data folder.
 */
// biome-ignore format: a table is read by column
const table = {
  // code: [status, meaning,
  //   remedy, source]
  invalid_json: [400, 'The body is not JSON.',
    'Send one JSON object in UTF-8; the message says where parsing stopped.'],
  malformed_request: [400, 'What came is no request of HTTP/1.1.',
    'Send it with an HTTP client; the message says what cannot be read.'],
  validation_error: [400, 'A field, query parameter or header breaks a rule.',
    'Read details[]: each entry names a field and what it must be.'],
  unauthorized: [401, 'The API key is missing or not one of this service.',
    'Send "Authorization: Bearer sk_sandbox_default".'],
  control_token_required: [401, 'This sandbox is open to others, so its control plane demands a token.',
    'Send the token that "sandbox start" showed as X-Sandbox-Token; commands take --control-token or SANDBOX_CONTROL_TOKEN.', 'sandbox'],
  insufficient_balance: [402, 'The free balance does not cover the hold.',
    'Top up by at least required_amount less the free balance, or wait for holds to settle.', 'interface'],
  agent_not_approved: [403, 'The agent is not approved for sending.',
    'Submit the agent and wait for APPROVED; agent_status says where it stands.'],
  agent_not_editable: [409, 'The agent cannot be changed in its present status.',
    'Edit an agent while it is DRAFT, or after a rejection; agent_status says where it stands.'],
  agent_not_submittable: [409, 'The agent cannot be submitted in its present status.',
    'Only a DRAFT or REJECTED agent can be submitted; agent_status says where it stands.'],
  agent_state_conflict: [409, 'The status of the agent does not permit this.',
    'The message names the status that it needs; agent_status says where it stands.', 'sandbox'],
  agent_profile_incomplete: [422, 'The review needs a complete brand profile.',
    'Add the fields that details[] names with PATCH /v1/rcs/agents/{id}, then submit again.'],
  newsletter_not_enabled: [409, 'The agent was created without newsletter_enabled, and that cannot be added later.',
    'Create a new agent with newsletter_enabled and have it approved.'],
  agent_not_launched: [403, 'The agent is approved, but live on no carrier.',
    'Wait until GET /v1/rcs/agents/{id}/launch shows a LAUNCHED carrier.'],
  message_type_not_allowed: [403, 'The agent or channel does not permit this message_type.',
    'Use a message_type that the use_case permits (interface §2.7).'],
  channel_inactive: [403, 'The channel is switched off.',
    'Send through an active channel.'],
  domain_not_verified: [403, 'The sending domain of the email channel is not verified.',
    'Verify the domain, or send through a verified channel.'],
  test_agent_forbidden: [403, 'The Test Agent sends to the verified phone of this key only.',
    'Register your own phone with POST /v1/test/register, verify it, and send to it.'],
  test_agent_limit_reached: [403, 'The Test Agent has sent five messages to this phone, which is all it may get.',
    'Create an agent of your own with POST /v1/rcs/agents and submit it.'],
  host_not_allowed: [403, 'The Host header names a machine this server does not answer for.',
    'Call it as localhost or 127.0.0.1, or start it with --host.', 'sandbox'],
  origin_not_allowed: [403, 'A web page of another origin called the control plane.',
    'Call the control plane from the CLI, the library or a server, not from a page.', 'sandbox'],
  not_found: [404, 'No such route or resource in this world.',
    'Check the id, and that the API key belongs to the world that holds it.'],
  device_not_rcs_capable: [404, 'The phone cannot receive RCS.',
    'Reach the contact over another channel.'],
  method_not_allowed: [405, 'The path exists, but not with this method.',
    'Use a method from the Allow header.'],
  external_id_taken: [409, 'Another contact has this external_id.',
    'Use another external_id, or update that contact.'],
  address_taken: [409, 'Another contact has this email or phone.',
    'Update that contact, or remove the address from it first.'],
  consent_not_pending: [409, 'No double opt-in is waiting for confirmation on this record.',
    'Record consent with status PENDING and enforced_doi first.', 'sandbox'],
  doi_expired: [409, 'The confirmation of double opt-in has expired.',
    'Record consent with status PENDING again: that sends a new one.'],
  nothing_to_answer: [409, 'The phone or mailbox has nothing that its user could answer like this.',
    'Send it a message that offers this, and wait until it is delivered; sandbox inbox show tells what is there.', 'sandbox'],
  message_state_conflict: [409, 'The status of the message does not permit this.',
    'The message names the status that it needs; message_status says where it stands.', 'sandbox'],
  trigger_precondition_failed: [409, 'What was to be triggered is not possible as things stand.',
    'state says where the thing stands, needs from where it is possible, and the message what comes first.', 'sandbox'],
  message_not_revocable: [409, 'The message has left the queue.',
    'Only a queued message can be revoked.'],
  campaign_already_running: [409, 'A run of the campaign is open, be it running or paused.',
    'Wait until it is completed, or resume it if it is paused; campaign_status says which.'],
  campaign_not_api_triggered: [409, 'The campaign has another trigger than API.',
    'Configure the campaign for the API trigger, or let its own trigger start it.'],
  campaign_not_manually_triggered: [409, 'The campaign has another trigger than MANUAL.',
    'Define it with the trigger MANUAL, or let its own trigger start it.', 'sandbox'],
  campaign_not_event_triggered: [409, 'The campaign has another trigger than EVENT.',
    'Define it with the trigger EVENT, or let its own trigger start it.', 'sandbox'],
  campaign_not_pausable: [409, 'The campaign is not running.',
    'Only a RUNNING campaign can be paused; campaign_status says where it stands.'],
  campaign_not_resumable: [409, 'The campaign is not paused.',
    'Only PAUSED, PAUSED_ERROR and PAUSED_BALANCE can be resumed; campaign_status says where it stands.'],
  cursor_in_use: [409, 'Another reader of the event log has the cursor of this name.',
    'Wait until it ends, or use another name; holder says who has it.', 'sandbox'],
  too_many_namespaces: [409, 'The key would make one more namespace than there may be.',
    'Delete one with DELETE /_sandbox/namespaces/{name}, or start with --max-namespaces.', 'sandbox'],
  default_namespace: [409, 'The default namespace is always there.',
    'Reset it instead: POST /_sandbox/namespaces/default/reset.', 'sandbox'],
  namespace_exists: [409, 'A namespace of this name is there already.',
    'Fork into another one, delete it first, or pass "replace": true.', 'sandbox'],
  snapshot_exists: [409, 'A snapshot of this name is there already, and snapshots do not change.',
    'Use another name, or delete it first with DELETE /_sandbox/snapshots/{name}.', 'sandbox'],
  world_replaced: [409, 'The world was reset, restored or deleted while the request was under way.',
    'Repeat the request where it still makes sense in the world as it is now.', 'sandbox'],
  idempotency_key_reused: [409, 'The idempotency key was used with a different body.',
    'Use a new key for a new request, or repeat the first body unchanged.'],
  request_timeout: [408, 'The request did not come to its end in time.',
    'Send it again, all of it.'],
  not_a_snapshot: [400, 'The file is no snapshot that this release can read.',
    'Import what "sandbox snapshot export" has written; the message says what is wrong.', 'sandbox'],
  payload_too_large: [413, 'The body is larger than this call takes: 1 MiB, on an import 16 MiB.',
    'Send less in one request.'],
  unsupported_media_type: [415, 'The body is not declared as JSON in UTF-8.',
    'Send "Content-Type: application/json".'],
  expectation_failed: [417, 'The header Expect asks for something that no server does.',
    'Leave it out, or send "Expect: 100-continue".'],
  headers_too_large: [431, 'The request line and headers are larger than 16 KiB.',
    'Send a shorter URL and fewer or shorter headers.'],
  missing_consent: [422, 'No consent record permits this send.',
    'Record consent with POST /v1/contacts/{id}/consent.', 'interface'],
  consent_pending: [422, 'Double opt-in is not confirmed yet.',
    'Wait for the contact to open the confirmation link.'],
  consent_revoked: [422, 'The contact withdrew consent.',
    'Do not send; record new consent only when the contact gave it.'],
  recipient_suppressed: [422, 'The status of the contact suppresses sends.',
    'Do not send; contact_status says why.'],
  no_active_session: [422, 'No 24-hour conversation session is open with this phone.',
    'Send a MESSAGE, and a CONVERSATION after the user has replied.'],
  channel_unavailable: [422, 'SMS sending is not available yet.',
    'Send over RCS or email.'],
  no_verified_address: [422, 'The contact has no address on the doi_channel.',
    'Add the address to the contact, or choose another doi_channel.'],
  limit_exceeded: [422, 'The request is more than the account or one call may hold.',
    'Ask for less; the message names the limit.'],
  invalid_code: [422, 'This is not the code that was sent to the phone.',
    'Give the number that was registered last and the newest code sent to it.'],
  code_expired: [422, 'The code is older than 10 minutes, or was tried five times.',
    'Call POST /v1/test/register for a new one.'],
  rule_never_matches: [422, 'The rule could never decide over a message, so it would be ignored without a word.',
    'Read details[]: each entry names a part of the rule and what stands against it.', 'sandbox'],
  template_data_missing: [422, 'The template needs variables that template_data does not give.',
    'Add the variables that details[] names.'],
  rate_limit_exceeded: [429, 'Too many requests with this key in the window.',
    'Wait retry_after seconds, then back off with jitter.', 'interface'],
  internal_error: [500, 'The sandbox has a bug.',
    'Nothing was changed. Report it with the X-Request-Id and the lines on stderr.'],
  storage_unavailable: [503, 'The data folder cannot be written: disk full, locked or read-only.',
    'Free space or release the lock, then repeat the request; nothing of it was kept.', 'sandbox'],
  world_damaged: [503, 'The file of a namespace or of a snapshot is damaged. Other namespaces go on.',
    'Begin the namespace anew: "sandbox namespaces reset <name>" with the key of another one, or "sandbox snapshots fork <snapshot> <name> --replace"; the damaged file is kept beside the new one. Or stop the sandbox and put a copy in its place.', 'sandbox'],
  too_many_open_files: [503, 'The process may not open any more files and connections.',
    'Close connections that are not needed, or raise the limit before the start: ulimit -n 4096. Then repeat the request; nothing of it was done.'],
  service_unavailable: [503, 'The service cannot answer for the moment. In this sandbox only a fault that was added says so.',
    'Repeat the request with the same idempotency key, after retry_after seconds where it is given.'],
  shutting_down: [503, 'The server is stopping.',
    'Start it again and repeat the request.', 'sandbox'],
} as const satisfies Record<string, Row>

export type ProblemCode = keyof typeof table

interface Entry {
  readonly status: number
  readonly meaning: string
  readonly remedy: string
  readonly source: Source
}

export const problems = Object.fromEntries(
  Object.entries<Row>(table).map(([code, [status, meaning, remedy, source = 'chosen']]) => [
    code,
    { status, meaning, remedy, source },
  ]),
) as Readonly<Record<ProblemCode, Entry>>

export interface Detail {
  /** Path of the field: `content.suggestions[3].reply.text`. */
  field: string
  code: string
  message: string
}

interface Extra {
  details?: Detail[]
  /** Route-specific fields beside the envelope (interface §7). */
  [field: string]: unknown
}

const PROBLEM = Symbol.for('messaging-sandbox.Problem')

/**
 * A refusal. An action throws it, its transaction rolls back, and the caller gets the error envelope of interface §7.
 */
export class Problem extends Error {
  static {
    Object.defineProperty(Problem.prototype, PROBLEM, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, PROBLEM)
  }

  readonly code: ProblemCode
  readonly details: Detail[]
  readonly extra: Record<string, unknown>

  constructor(code: ProblemCode, message: string, { details = [], ...extra }: Extra = {}) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.details = details
    this.extra = extra
  }

  get status(): number {
    return problems[this.code].status
  }

  get body() {
    return { error: this.code, message: this.message, details: this.details, ...this.extra }
  }
}

/** Creates a refusal; the default message is meaning and remedy of the code. */
export function problem(code: ProblemCode, message?: string, extra?: Extra): Problem {
  const { meaning, remedy } = problems[code]
  return new Problem(code, message ?? `${meaning} ${remedy}`, extra)
}
