import { Refusal } from '../../client/call.ts'
import { InvalidAnswer } from '../../client/invalid-answer.ts'
import { Unanswered } from '../../client/unanswered.ts'
import { Unreachable } from '../../http/exchange.ts'
import { withoutCount } from '../../words/broken-fields.ts'
import { isOutOfFiles } from '../../words/out-of-files.ts'
import { Problem, problem } from '../../words/problem.ts'
import { MissingPathParameter } from '../../words/request-target.ts'
import { sentence } from '../../words/sentence.ts'
import type { Output } from '../output/output.ts'
import type { Paint } from '../output/paint.ts'
import { printableIn } from '../output/printable.ts'
import { EXIT, type ExitCode, Fault, Interrupted, misconfigured, usage } from '../process/exit.ts'
import { errorLines } from './file-errors.ts'
import { OTHER_PROGRAM, remedyOf, withCommands } from './remedies.ts'
import { describeUnanswered } from './unanswered.ts'

/** A failure in the form that programs and people are shown. */
interface Failure {
  exit: ExitCode
  body: Record<string, unknown> & { error: string; message: string }
  details?: readonly FailureDetail[]
  hint?: string | undefined
  /** Commands to type. */
  commands?: readonly string[]
  requestId?: string | undefined
  stack?: string | undefined
  /** Replaces the message for people, a line each. */
  lines?: readonly string[] | undefined
}

interface FailureDetail {
  field: string
  message: string
  /** The option or argument that sets the field: `--reason`. */
  option?: string
}

/** Node refuses such a header before anything is sent. */
const UNSENDABLE = usage(
  'A key or token contains a character that is not allowed in a header, such as a line break.',
  'Check --api-key, --control-token and --idempotency-key, or their sources.',
)

/** Reports on stderr why the command failed, and returns its exit code; `exit` replaces the one that follows from the error. */
export function reportFailure(error: unknown, output: Output, exit?: ExitCode): ExitCode {
  if (error instanceof Interrupted) return EXIT.interrupted
  const failure = withProgramNames(failureOf(error), output)
  const { body, hint, commands = [], requestId, stack } = failure
  const code = exit ?? failure.exit
  output.warn(
    {
      ...body,
      ...(hint ? { hint } : {}),
      ...(commands.length > 0 ? { commands } : {}),
      ...(requestId ? { request_id: requestId } : {}),
      exit_code: code,
      ...(stack ? { stack } : {}),
    },
    (paint, { hint }) => inWords({ ...printableIn({ ...failure, stack: failure.stack?.split('\n') }), hint }, paint),
  )
  return code
}

/** Commands are written as they are typed here, those in a service's own messages for people only. */
const withProgramNames = (failure: Failure, { isForPeople, withProgramName }: Output): Failure => ({
  ...failure,
  ...(isForPeople
    ? {
        body: { ...failure.body, message: withProgramName(withCommands(failure.body.message)) },
        details: failure.details?.map((one) => ({ ...one, message: withProgramName(one.message) })) ?? [],
      }
    : {}),
  commands: failure.commands?.map(withProgramName) ?? [],
})

function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return refusal(error)
  if (error instanceof Unreachable) return unreachable(error)
  if (error instanceof InvalidAnswer) return invalidAnswer(error)
  if (error instanceof Unanswered) return unanswered(error)
  if (error instanceof MissingPathParameter)
    return failureOf(usage(error.message, 'If it comes from a shell variable, check that the variable is set.'))
  if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_CHAR') return failureOf(UNSENDABLE)
  if (error instanceof Fault) {
    const { exit, code, message, hint, commands, extra } = error
    return { exit, body: { error: code, message, ...extra }, hint, commands }
  }
  // A command meets a Problem only in files that it reads itself, such as a world file.
  if (error instanceof Problem) {
    const { file } = error.extra
    if (file === undefined || error.details.length === 0)
      return { exit: EXIT.configuration, body: error.body, details: error.details }
    // The message contains all errors, and a field name could contain a line break.
    return { exit: EXIT.configuration, body: error.body, lines: errorLines(String(file), error.details) }
  }
  const denied = deniedByNode(error as NodeError)
  if (denied) return failureOf(denied)
  return isOutOfFiles(error) ? failureOf(problem('too_many_open_files')) : bug(error)
}

type NodeError = NodeJS.ErrnoException & { permission?: string; resource?: string }

/** `node --permission`, or `--no-addons`: the user has to allow what the command needs. */
function deniedByNode({ code, message, permission, resource }: NodeError) {
  if (code !== 'ERR_ACCESS_DENIED' && code !== 'ERR_DLOPEN_DISABLED') return undefined
  const what = permission ? [permission, resource].filter(Boolean).join(' ') : 'the native addon of SQLite'
  const flag = /--allow-[a-z-]+/.exec(message)?.[0] ?? '--allow-addons'
  return misconfigured(`The options of Node do not permit this: ${what}.`, `Start Node with ${flag}.`)
}

function refusal(error: Refusal): Failure {
  const { status, body, details } = error
  return {
    exit: exitOf(error),
    body: { ...body, error: error.code, message: withoutBody(error.reason), http_status: status },
    details,
    ...remedyOf(error),
    requestId: error.headers['x-request-id'],
  }
}

/** On a command line, an error of the whole request concerns its options, not of a body. */
const withoutBody = (message: string) => message.replace(/^The body: (\w)/, (_, letter: string) => letter.toUpperCase())

/** Words of the command line that the service does not know. */
const UNKNOWN_WORDS = ['unknown_event', 'unknown_field']

/** The exit code of a command that ends with this refusal. */
export function exitOf({ status, code, details }: Refusal): ExitCode {
  if (details.some((detail) => UNKNOWN_WORDS.includes(detail.code))) return EXIT.usage
  if (status === 401) return EXIT.configuration
  if (code === 'not_arrived') return EXIT.timedOut
  // The client has retried already.
  if (status === 429 || status === 503) return EXIT.temporary
  if (status >= 500) return EXIT.unreachable
  // This 404 says that the phone has no RCS, not that something is missing (interface §4.2).
  return status === 404 && code !== 'device_not_rcs_capable' ? EXIT.notFound : EXIT.refused
}

const isLocal = (message: string) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(message)

function unreachable(error: Unreachable): Failure {
  return {
    exit: EXIT.unreachable,
    body: { error: 'unreachable', message: sentence(error.message), cause: error.code },
    hint:
      error.hint ??
      (isLocal(error.message)
        ? 'Is the sandbox running? Start it with: sandbox start'
        : 'Check --base-url and the network.'),
  }
}

/** The answer is not from the service, or does not match the interface. */
function invalidAnswer({ message, status, requestId }: InvalidAnswer): Failure {
  return {
    exit: EXIT.invalidAnswer,
    body: { error: 'invalid_answer', message: sentence(message), http_status: status },
    hint: `${OTHER_PROGRAM} To see the whole answer: --verbose`,
    requestId,
  }
}

/** The call may have been carried out, so plain repetition could do it twice. */
function unanswered(error: Unanswered): Failure {
  const { message, hint, extra } = describeUnanswered(error)
  const { cause } = error
  const invalid = cause instanceof InvalidAnswer ? cause : undefined
  return {
    exit: invalid ? EXIT.invalidAnswer : EXIT.unreachable,
    requestId: invalid?.requestId,
    body: { error: invalid ? 'invalid_answer' : 'unanswered', message, cause: cause.code, ...extra },
    hint:
      isLocal(message) && !invalid
        ? `If nothing answers there any more, start the sandbox: sandbox start. ${hint}`
        : hint,
  }
}

function bug(error: unknown): Failure {
  const stack = error instanceof Error ? error.stack : String(error)
  return {
    exit: EXIT.bug,
    body: {
      error: 'bug',
      message: `This is a bug of the sandbox: ${error instanceof Error ? error.message : String(error)}`,
    },
    hint: 'Please report it with the command and the lines below.',
    stack,
  }
}

type PrintableFailure = Omit<Failure, 'stack'> & { stack: string[] | undefined }

function inWords(
  { body, lines, details = [], hint = '', commands = [], requestId, stack = [] }: PrintableFailure,
  paint: Paint,
): string {
  // The message already names the first broken field, or is its only detail.
  const named = details.filter(({ field, message }) => body.message.includes(`${field}: ${message}`))
  const fields = details.filter((one) => !named.includes(one) && one.message !== body.message.replace(/\.$/, ''))
  const withOptions = named.reduce(
    (text, { field, option, message }) => text.replace(`${field}: ${message}`, `${option ?? field}: ${message}`),
    body.message,
  )
  const message = named.length > 0 ? withoutCount(withOptions) : body.message
  // A refusal may name the first step of its remedy itself.
  const more = hint
    .split(/(?<=\.) /)
    .filter((text) => !body.message.includes(text))
    .join(' ')
  return [
    `${paint.red('✗')} ${lines?.join('\n') ?? message}${/^[a-z_0-9]+$/.test(body.error) ? paint.dim(` [${body.error}]`) : ''}`,
    ...fields.map(({ field, option, message }) => `  ${paint.bold(option ?? field)}: ${message}`),
    ...(more === '' ? [] : [`  ${more}`]),
    ...commands.map((command) => `    ${paint.typed(command)}`),
    ...(requestId ? [paint.dim(`  request ${requestId}`)] : []),
    ...stack.map((line) => paint.dim(line)),
  ].join('\n')
}
