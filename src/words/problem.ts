interface Entry {
  readonly status: number
  readonly meaning: string
  /** What the caller does about it. */
  readonly remedy: string
}

/** Every error code the service can answer (interface §7 and the choices beside it). */
export const problems = {
  invalid_json: {
    status: 400,
    meaning: 'The body is not JSON.',
    remedy: 'Send one JSON object in UTF-8; the message says where parsing stopped.',
  },
  malformed_request: {
    status: 400,
    meaning: 'What came is no request of HTTP/1.1.',
    remedy: 'Send it with an HTTP client; the message says what cannot be read.',
  },
  validation_error: {
    status: 400,
    meaning: 'A field, query parameter or header breaks a rule.',
    remedy: 'Read details[]: each entry names a field and what it must be.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The API key is missing or not one of this service.',
    remedy: 'Send "Authorization: Bearer sk_sandbox_default".',
  },
  control_token_required: {
    status: 401,
    meaning: 'This sandbox is open to others, so its control plane demands a token.',
    remedy:
      'Send the token that "sandbox start" showed as X-Sandbox-Token; commands take --control-token or SANDBOX_CONTROL_TOKEN.',
  },
  insufficient_balance: {
    status: 402,
    meaning: 'The free balance does not cover the hold.',
    remedy: 'Top up by at least required_amount less the free balance, or wait for holds to settle.',
  },
  agent_not_approved: {
    status: 403,
    meaning: 'The agent is not approved for sending.',
    remedy: 'Submit the agent and wait for APPROVED; agent_status says where it stands.',
  },
  agent_not_editable: {
    status: 409,
    meaning: 'The agent cannot be changed in its present status.',
    remedy: 'Edit an agent while it is DRAFT, or after a rejection; agent_status says where it stands.',
  },
  agent_not_submittable: {
    status: 409,
    meaning: 'The agent cannot be submitted in its present status.',
    remedy: 'Only a DRAFT or REJECTED agent can be submitted; agent_status says where it stands.',
  },
  agent_state_conflict: {
    status: 409,
    meaning: 'The status of the agent does not permit this.',
    remedy: 'The message names the status that it needs; agent_status says where it stands.',
  },
  agent_profile_incomplete: {
    status: 422,
    meaning: 'The review needs a complete brand profile.',
    remedy: 'Add the fields that details[] names with PATCH /v1/rcs/agents/{id}, then submit again.',
  },
  newsletter_not_enabled: {
    status: 409,
    meaning: 'The agent was created without newsletter_enabled, and that cannot be added later.',
    remedy: 'Create a new agent with newsletter_enabled and have it approved.',
  },
  agent_not_launched: {
    status: 403,
    meaning: 'The agent is approved, but live on no carrier.',
    remedy: 'Wait until GET /v1/rcs/agents/{id}/launch shows a LAUNCHED carrier.',
  },
  message_type_not_allowed: {
    status: 403,
    meaning: 'The agent or channel does not permit this message_type.',
    remedy: 'Use a message_type that the use_case permits (interface §2.7).',
  },
  channel_inactive: {
    status: 403,
    meaning: 'The channel is switched off.',
    remedy: 'Send through an active channel.',
  },
  domain_not_verified: {
    status: 403,
    meaning: 'The sending domain of the email channel is not verified.',
    remedy: 'Verify the domain, or send through a verified channel.',
  },
  test_agent_forbidden: {
    status: 403,
    meaning: 'The Test Agent sends to the verified phone of this key only.',
    remedy: 'Register your own phone with POST /v1/test/register, verify it, and send to it.',
  },
  test_agent_limit_reached: {
    status: 403,
    meaning: 'The Test Agent has sent five messages to this phone, which is all it may get.',
    remedy: 'Create an agent of your own with POST /v1/rcs/agents and submit it.',
  },
  host_not_allowed: {
    status: 403,
    meaning: 'The Host header names a machine this server does not answer for.',
    remedy: 'Call it as localhost or 127.0.0.1, or start it with --host.',
  },
  origin_not_allowed: {
    status: 403,
    meaning: 'A web page of another origin called the control plane.',
    remedy: 'Call the control plane from the CLI, the library or a server, not from a page.',
  },
  not_found: {
    status: 404,
    meaning: 'No such route or resource in this world.',
    remedy: 'Check the id, and that the API key belongs to the world that holds it.',
  },
  device_not_rcs_capable: {
    status: 404,
    meaning: 'The phone cannot receive RCS.',
    remedy: 'Reach the contact over another channel.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use a method from the Allow header.',
  },
  external_id_taken: {
    status: 409,
    meaning: 'Another contact has this external_id.',
    remedy: 'Use another external_id, or update that contact.',
  },
  address_taken: {
    status: 409,
    meaning: 'Another contact has this email or phone.',
    remedy: 'Update that contact, or remove the address from it first.',
  },
  consent_not_pending: {
    status: 409,
    meaning: 'No double opt-in is waiting for confirmation on this record.',
    remedy: 'Record consent with status PENDING and enforced_doi first.',
  },
  doi_expired: {
    status: 409,
    meaning: 'The confirmation of double opt-in has expired.',
    remedy: 'Record consent with status PENDING again: that sends a new one.',
  },
  nothing_to_answer: {
    status: 409,
    meaning: 'The phone or mailbox has nothing that its user could answer like this.',
    remedy:
      'Send it a message that offers this, and wait until it is delivered; sandbox inbox show tells what is there.',
  },
  message_state_conflict: {
    status: 409,
    meaning: 'The status of the message does not permit this.',
    remedy: 'The message names the status that it needs; message_status says where it stands.',
  },
  trigger_precondition_failed: {
    status: 409,
    meaning: 'What was to be triggered is not possible as things stand.',
    remedy: 'state says where the thing stands, needs from where it is possible, and the message what comes first.',
  },
  message_not_revocable: {
    status: 409,
    meaning: 'The message has left the queue.',
    remedy: 'Only a queued message can be revoked.',
  },
  campaign_already_running: {
    status: 409,
    meaning: 'A run of the campaign is open, be it running or paused.',
    remedy: 'Wait until it is completed, or resume it if it is paused; campaign_status says which.',
  },
  campaign_not_api_triggered: {
    status: 409,
    meaning: 'The campaign has another trigger than API.',
    remedy: 'Configure the campaign for the API trigger, or let its own trigger start it.',
  },
  campaign_not_manually_triggered: {
    status: 409,
    meaning: 'The campaign has another trigger than MANUAL.',
    remedy: 'Define it with the trigger MANUAL, or let its own trigger start it.',
  },
  campaign_not_event_triggered: {
    status: 409,
    meaning: 'The campaign has another trigger than EVENT.',
    remedy: 'Define it with the trigger EVENT, or let its own trigger start it.',
  },
  campaign_not_pausable: {
    status: 409,
    meaning: 'The campaign is not running.',
    remedy: 'Only a RUNNING campaign can be paused; campaign_status says where it stands.',
  },
  campaign_not_resumable: {
    status: 409,
    meaning: 'The campaign is not paused.',
    remedy: 'Only PAUSED, PAUSED_ERROR and PAUSED_BALANCE can be resumed; campaign_status says where it stands.',
  },
  cursor_in_use: {
    status: 409,
    meaning: 'Another reader of the event log has the cursor of this name.',
    remedy: 'Wait until it ends, or use another name; holder says who has it.',
  },
  too_many_namespaces: {
    status: 409,
    meaning: 'The key would make one more namespace than there may be.',
    remedy: 'Delete one with DELETE /_sandbox/namespaces/{name}, or start with --max-namespaces.',
  },
  default_namespace: {
    status: 409,
    meaning: 'The default namespace is always there.',
    remedy: 'Reset it instead: POST /_sandbox/namespaces/default/reset.',
  },
  namespace_exists: {
    status: 409,
    meaning: 'A namespace of this name is there already.',
    remedy: 'Fork into another one, delete it first, or pass "replace": true.',
  },
  snapshot_exists: {
    status: 409,
    meaning: 'A snapshot of this name is there already, and snapshots do not change.',
    remedy: 'Use another name, or delete it first with DELETE /_sandbox/snapshots/{name}.',
  },
  world_replaced: {
    status: 409,
    meaning: 'The world was reset, restored or deleted while the request was under way.',
    remedy: 'Repeat the request where it still makes sense in the world as it is now.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'The idempotency key was used with a different body.',
    remedy: 'Use a new key for a new request, or repeat the first body unchanged.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not come to its end in time.',
    remedy: 'Send it again, all of it.',
  },
  not_a_snapshot: {
    status: 400,
    meaning: 'The file is no snapshot that this release can read.',
    remedy: 'Import what "sandbox snapshot export" has written; the message says what is wrong.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than this call takes: 1 MiB, on an import 16 MiB.',
    remedy: 'Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not declared as JSON in UTF-8.',
    remedy: 'Send "Content-Type: application/json".',
  },
  expectation_failed: {
    status: 417,
    meaning: 'The header Expect asks for something that no server does.',
    remedy: 'Leave it out, or send "Expect: 100-continue".',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The request line and headers are larger than 16 KiB.',
    remedy: 'Send a shorter URL and fewer or shorter headers.',
  },
  missing_consent: {
    status: 422,
    meaning: 'No consent record permits this send.',
    remedy: 'Record consent with POST /v1/contacts/{id}/consent.',
  },
  consent_pending: {
    status: 422,
    meaning: 'Double opt-in is not confirmed yet.',
    remedy: 'Wait for the contact to open the confirmation link.',
  },
  consent_revoked: {
    status: 422,
    meaning: 'The contact withdrew consent.',
    remedy: 'Do not send; record new consent only when the contact gave it.',
  },
  recipient_suppressed: {
    status: 422,
    meaning: 'The status of the contact suppresses sends.',
    remedy: 'Do not send; contact_status says why.',
  },
  no_active_session: {
    status: 422,
    meaning: 'No 24-hour conversation session is open with this phone.',
    remedy: 'Send a MESSAGE, and a CONVERSATION after the user has replied.',
  },
  channel_unavailable: {
    status: 422,
    meaning: 'SMS sending is not available yet.',
    remedy: 'Send over RCS or email.',
  },
  no_verified_address: {
    status: 422,
    meaning: 'The contact has no address on the doi_channel.',
    remedy: 'Add the address to the contact, or choose another doi_channel.',
  },
  limit_exceeded: {
    status: 422,
    meaning: 'The request is more than the account or one call may hold.',
    remedy: 'Ask for less; the message names the limit.',
  },
  invalid_code: {
    status: 422,
    meaning: 'This is not the code that was sent to the phone.',
    remedy: 'Give the number that was registered last and the newest code sent to it.',
  },
  code_expired: {
    status: 422,
    meaning: 'The code is older than 10 minutes, or was tried five times.',
    remedy: 'Call POST /v1/test/register for a new one.',
  },
  rule_never_matches: {
    status: 422,
    meaning: 'The rule could never decide over a message, so it would be ignored without a word.',
    remedy: 'Read details[]: each entry names a part of the rule and what stands against it.',
  },
  template_data_missing: {
    status: 422,
    meaning: 'The template needs variables that template_data does not give.',
    remedy: 'Add the variables that details[] names.',
  },
  rate_limit_exceeded: {
    status: 429,
    meaning: 'Too many requests with this key in the window.',
    remedy: 'Wait retry_after seconds, then back off with jitter.',
  },
  internal_error: {
    status: 500,
    meaning: 'The sandbox has a bug.',
    remedy: 'Nothing was changed. Report it with the X-Request-Id and the lines on stderr.',
  },
  storage_unavailable: {
    status: 503,
    meaning: 'The data folder cannot be written: disk full, locked or read-only.',
    remedy: 'Free space or release the lock, then repeat the request; nothing of it was kept.',
  },
  too_many_open_files: {
    status: 503,
    meaning: 'The process may not open any more files and connections.',
    remedy:
      'Close connections that are not needed, or raise the limit before the start: ulimit -n 4096. Then repeat the request; nothing of it was done.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot answer for the moment. In this sandbox only a fault that was added says so.',
    remedy: 'Repeat the request with the same idempotency key, after retry_after seconds where it is given.',
  },
  shutting_down: {
    status: 503,
    meaning: 'The server is stopping.',
    remedy: 'Start it again and repeat the request.',
  },
} as const satisfies Record<string, Entry>

export type ProblemCode = keyof typeof problems

const SANDBOX_ONLY: ReadonlySet<ProblemCode> = new Set([
  'control_token_required',
  'host_not_allowed',
  'origin_not_allowed',
  'agent_state_conflict',
  'consent_not_pending',
  'nothing_to_answer',
  'message_state_conflict',
  'trigger_precondition_failed',
  'campaign_not_manually_triggered',
  'campaign_not_event_triggered',
  'too_many_namespaces',
  'default_namespace',
  'namespace_exists',
  'cursor_in_use',
  'snapshot_exists',
  'not_a_snapshot',
  'world_replaced',
  'rule_never_matches',
  'storage_unavailable',
  'shutting_down',
])

/** The codes that the interface names (§7); all others were chosen. */
const STATED: ReadonlySet<ProblemCode> = new Set(['insufficient_balance', 'rate_limit_exceeded', 'missing_consent'])

export const isStated = (code: ProblemCode): boolean => STATED.has(code)

/** Codes of what a service does not have: the control plane, namespaces, a data folder of one's own. */
export const isSandboxOnly = (code: ProblemCode): boolean => SANDBOX_ONLY.has(code)

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

/** A refusal: thrown by an action, rolls its transaction back, answered as the error envelope of interface §7. */
export class Problem extends Error {
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

/** The message defaults to the meaning and remedy of the code. */
export function problem(code: ProblemCode, message?: string, extra?: Extra): Problem {
  const { meaning, remedy } = problems[code]
  return new Problem(code, message ?? `${meaning} ${remedy}`, extra)
}
