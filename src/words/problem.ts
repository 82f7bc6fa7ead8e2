import { acrossCopies } from './kinds.ts'

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
  invalid_json: [400, 'The body is not valid JSON.',
    'Send one JSON object in UTF-8; the message names the position of the error.'],
  malformed_request: [400, 'The request is not valid HTTP/1.1.',
    'Send it with an HTTP client; the message names what cannot be parsed.'],
  validation_error: [400, 'A field, query parameter or header breaks a rule.',
    'Read details[]: each entry names a field and its requirement.'],
  unauthorized: [401, 'The API key is missing or invalid.',
    'Send "Authorization: Bearer sk_sandbox_default".'],
  control_token_required: [401, 'The control plane of this sandbox requires its token.',
    'Send the token in the header X-Sandbox-Token (commands: --control-token, SANDBOX_CONTROL_TOKEN). A sandbox prints it when it starts. For a namespace of a shared sandbox, ask the administrator, who runs "sandbox namespaces ensure <name>".', 'sandbox'],
  insufficient_balance: [402, 'The free balance does not cover the hold.',
    'Top up by at least required_amount minus the free balance, or wait until holds are released.', 'interface'],
  agent_not_approved: [403, 'The agent is not approved for sending.',
    'Wait until the agent is APPROVED. A DRAFT or REJECTED agent must be submitted first.'],
  agent_not_editable: [409, 'The agent cannot be changed in its current status.',
    'Edit an agent while it is DRAFT or REJECTED.'],
  agent_not_submittable: [409, 'The agent cannot be submitted in its current status.',
    'Only a DRAFT or REJECTED agent can be submitted.'],
  agent_state_conflict: [409, 'The status of the agent does not allow this.',
    'Bring the agent into a status that allows it.', 'sandbox'],
  agent_profile_incomplete: [422, 'The review needs a complete brand profile.',
    'Add the fields that details[] names with PATCH /v1/rcs/agents/{id}, then submit again.'],
  newsletter_not_enabled: [409, 'The agent was created without newsletter_enabled, which cannot be added later.',
    'Create a new agent with newsletter_enabled and submit it.'],
  agent_not_launched: [403, 'The agent is approved, but not launched on any carrier.',
    'Wait until GET /v1/rcs/agents/{id}/launch shows a LAUNCHED carrier.'],
  message_type_not_allowed: [403, 'The agent or channel does not allow this message_type.',
    'Use a message_type that the use_case allows (interface §2.7).'],
  channel_inactive: [403, 'The channel is inactive.',
    'Send through an active channel.'],
  domain_not_verified: [403, 'The sending domain of the email channel is not verified.',
    'Verify the domain, or send through a verified channel.'],
  test_agent_forbidden: [403, 'The Test Agent only sends to the verified phone of this key.',
    'Register your phone with POST /v1/test/register, verify it and send to it.'],
  test_agent_limit_reached: [403, 'The Test Agent has sent all five messages that a phone can get.',
    'Create your own agent with POST /v1/rcs/agents and submit it.'],
  admin_token_required: [403, 'The operation concerns the whole shared sandbox, so it needs the admin token.',
    'Ask the administrator, or pass the token that "sandbox start --shared" printed with --control-token or SANDBOX_CONTROL_TOKEN.', 'sandbox'],
  host_not_allowed: [403, 'The Host header is not allowed on this server.',
    'Call the server as localhost or 127.0.0.1, or start it with --host.', 'sandbox'],
  origin_not_allowed: [403, 'The control plane refuses web pages of other origins.',
    'Call the control plane from the CLI, the library or a server.', 'sandbox'],
  not_found: [404, 'The route or resource does not exist in this world.',
    'Check the id or name, and that the API key belongs to the right world.'],
  not_arrived: [404, 'The awaited event, code or link did not arrive in time.',
    'Advance a frozen clock, or raise the time limit (within).', 'sandbox'],
  device_not_rcs_capable: [404, 'The phone cannot receive RCS.',
    'Use another channel for the contact.'],
  method_not_allowed: [405, 'The path does not support this method.',
    'Use a method from the Allow header.'],
  external_id_taken: [409, 'Another contact has this external_id.',
    'Use another external_id, or update that contact.'],
  address_taken: [409, 'Another contact has this email or phone.',
    'Update that contact, or remove its address first.'],
  consent_not_pending: [409, 'The record has no pending double opt-in.',
    'First record consent with status PENDING and enforced_doi.', 'sandbox'],
  doi_expired: [409, 'The confirmation of double opt-in has expired.',
    'Record consent with status PENDING again to send a new confirmation.'],
  nothing_to_answer: [409, 'The phone or mailbox has no message for this action.',
    'Send a message and wait for its delivery. A tap needs a suggestion, a click a link.', 'sandbox'],
  message_state_conflict: [409, 'The status of the message does not allow this.',
    'Use a message in another status.', 'sandbox'],
  trigger_precondition_failed: [409, 'The event is not possible in the current state.',
    'Bring the record into a status that allows the event, and trigger it again.', 'sandbox'],
  message_not_revocable: [409, 'The message has left the queue.',
    'Revoke a message while it is queued.'],
  campaign_already_running: [409, 'The campaign already has an open run.',
    'Wait until the run is completed, or resume it if it is paused.'],
  campaign_not_api_triggered: [409, 'The trigger of the campaign is not API.',
    'Set the trigger of the campaign to API. A campaign with another trigger is started by a person, an event or its date.'],
  campaign_not_manually_triggered: [409, 'The trigger of the campaign is not MANUAL.',
    'Set the trigger of the campaign to MANUAL. One with the trigger API starts with POST /v1/campaigns/{id}/trigger.', 'sandbox'],
  campaign_not_event_triggered: [409, 'The trigger of the campaign is not EVENT.',
    'Set the trigger of the campaign to EVENT. One with the trigger API starts with POST /v1/campaigns/{id}/trigger.', 'sandbox'],
  campaign_not_pausable: [409, 'The campaign is not running.',
    'Only a RUNNING campaign can be paused.'],
  campaign_not_resumable: [409, 'The campaign is not paused.',
    'Only a PAUSED, PAUSED_ERROR or PAUSED_BALANCE campaign can be resumed.'],
  cursor_in_use: [409, 'Another reader holds the event cursor of this name.',
    'Wait until that reader ends, or use another name; holder is its id.', 'sandbox'],
  too_many_namespaces: [409, 'The maximum number of namespaces is reached.',
    'Delete one with DELETE /_sandbox/namespaces/{name}, or start with --max-namespaces.', 'sandbox'],
  default_namespace: [409, 'The default namespace cannot be deleted, and has no secret keys.',
    'Reset it with POST /_sandbox/namespaces/default/reset, or choose another namespace.', 'sandbox'],
  namespace_exists: [409, 'A namespace of this name already exists.',
    'Use another name. In a shared sandbox, "sandbox namespaces ensure" issues another key, and "rotate" replaces all keys. A fork with "replace": true (--replace) replaces the namespace.', 'sandbox'],
  sandbox_is_shared: [409, 'The operation is not available in a shared sandbox.',
    'Use "sandbox namespaces create". To copy a world, use "sandbox snapshots" with the admin token.', 'sandbox'],
  sandbox_not_shared: [409, 'Only a shared sandbox has keys and tokens of namespaces, and an audit log.',
    'Start with --shared. Without it, the first request with the key sk_sandbox_<name> creates a namespace.', 'sandbox'],
  snapshot_exists: [409, 'A snapshot of this name already exists, and snapshots never change.',
    'Use another name, or delete the snapshot first with DELETE /_sandbox/snapshots/{name}.', 'sandbox'],
  world_replaced: [409, 'The world was reset, restored or deleted during the request.',
    'Repeat the request if it still applies to the new state of the world.', 'sandbox'],
  idempotency_key_reused: [409, 'The idempotency key was used with a different body.',
    'Use a new key for a new request, or repeat the first body unchanged.'],
  request_timeout: [408, 'The request was not complete in time.',
    'Send the complete request again.'],
  not_a_snapshot: [400, 'The file is not a snapshot that this release can read.',
    'Import a file written by "sandbox snapshots export".', 'sandbox'],
  payload_too_large: [413, 'The body exceeds the limit of 1 MiB, or of 16 MiB for imports.',
    'Send a smaller body.'],
  unsupported_media_type: [415, 'The body is not declared as JSON in UTF-8.',
    'Send "Content-Type: application/json".'],
  expectation_failed: [417, 'The value of the Expect header is not supported.',
    'Remove the header, or send "Expect: 100-continue".'],
  headers_too_large: [431, 'The request line and headers are larger than 16 KiB.',
    'Send a shorter URL and fewer or shorter headers.'],
  missing_consent: [422, 'No consent record allows this send.',
    'Record consent with POST /v1/contacts/{id}/consent.', 'interface'],
  consent_pending: [422, 'Double opt-in is not confirmed yet.',
    'Wait for the contact to open the confirmation link.'],
  consent_revoked: [422, 'The contact withdrew consent.',
    'Do not send. Record new consent only after the contact has given it.'],
  recipient_suppressed: [422, 'The status of the contact suppresses sends.',
    'Do not send.'],
  no_active_session: [422, 'No 24-hour conversation session is open with this phone.',
    'Send a MESSAGE first, and a CONVERSATION after the user replied.'],
  channel_unavailable: [422, 'SMS sending is not available yet.',
    'Send over RCS or email.'],
  no_verified_address: [422, 'The contact has no address on the doi_channel.',
    'Add the address to the contact, or choose another doi_channel.'],
  limit_exceeded: [422, 'The request exceeds a limit of the account or of one call.',
    'Request less, or remove what counts; the message names the limit.'],
  invalid_code: [422, 'The code is wrong.',
    'Pass the number that was registered last and the newest code sent to it.'],
  code_expired: [422, 'The code is older than 10 minutes or was tried five times.',
    'Request a new code with POST /v1/test/register.'],
  rule_never_matches: [422, 'The rule can never decide the outcome of a message.',
    'Read details[]: each entry names a part of the rule and the obstacle.', 'sandbox'],
  template_data_missing: [422, 'template_data lacks variables that the template needs.',
    'Add the variables that details[] names.'],
  rate_limit_exceeded: [429, 'Too many requests with this key in the window.',
    'Wait retry_after seconds, then back off with jitter.', 'interface'],
  internal_error: [500, 'The sandbox has a bug.',
    'Nothing was changed. Report the bug with the X-Request-Id and the lines on stderr.'],
  storage_unavailable: [503, 'The sandbox cannot store data now: the disk is full, locked or read-only, a limit of the namespace is reached, or the cluster does not answer.',
    'Remove the cause that this error names, then repeat the request. Repeat a change with the same idempotency key.', 'sandbox'],
  world_damaged: [503, 'The file of a namespace or snapshot is damaged. Other namespaces still work.',
    'Reset the namespace with the key of another one: "sandbox namespaces reset <name>" or "sandbox snapshots fork <snapshot> <name> --replace". The damaged file is kept next to the new one. Or stop the sandbox and replace the file with a copy.', 'sandbox'],
  too_many_open_files: [503, 'The process has reached its limit of open files and connections, or a namespace of a shared sandbox its limit of streams or copies.',
    'Close unused connections, or raise the limit before the start: ulimit -n 4096. Then repeat the request. Nothing was changed.'],
  service_unavailable: [503, 'The service is temporarily unavailable. In the sandbox, only a configured fault causes this.',
    'Repeat the request with the same idempotency key, after retry_after seconds if present.'],
  no_cluster: [409, 'This sandbox is not a node of a cluster.',
    'Start it with --cluster.', 'sandbox'],
  shutting_down: [503, 'The server is shutting down.',
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
  /** Route-specific fields in addition to the envelope (interface §7). */
  [field: string]: unknown
}

/**
 * A refusal. An action throws it, its transaction rolls back, and the caller gets the error envelope of interface §7.
 */
export class Problem extends Error {
  static {
    acrossCopies(Problem, 'Problem')
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

/** Says what remains of a call whose first parts were committed, instead of that nothing was changed. */
export function afterPart(error: unknown, parts: number, kept: string): unknown {
  if (parts === 0 || !(error instanceof Problem) || error.status < 500) return error
  return problem(error.code, `${error.message.replace(/ Nothing was changed\.$/, '')} ${kept}`, error.extra)
}

/** The message of a refusal: its reason, by default the meaning of its code, and the remedy of the code. */
export const messageOf = (code: ProblemCode, reason: string = problems[code].meaning): string =>
  `${reason} ${problems[code].remedy}`

export const problem = (code: ProblemCode, message = messageOf(code), extra?: Extra): Problem =>
  new Problem(code, message, extra)

/** A record that a caller names by its id. */
export function existing<T>(record: T | undefined, what: string, id: string): T {
  if (record) return record
  throw problem('not_found', `There is no ${what} ${id} in this world.`)
}
