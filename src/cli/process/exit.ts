export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  configuration: 3,
  refused: 4,
  notFound: 5,
  unreachable: 6,
  expectation: 7,
  timedOut: 8,
  liveGuard: 9,
  invalidAnswer: 10,
  temporary: 11,
  cannotExecute: 126,
  commandNotFound: 127,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

interface FaultOptions {
  /** Machine-readable name, beside the codes of interface §7. */
  code: string
  exit: ExitCode
  /** One line: how to fix it. */
  hint?: string | undefined
  /** Commands to type. */
  commands?: readonly string[]
  /** Further fields of the JSON. */
  extra?: Record<string, unknown> | undefined
}

/** A failure whose cause the user can remove; it ends the command. */
export class Fault extends Error {
  readonly code: string
  readonly exit: ExitCode
  readonly hint: string | undefined
  readonly commands: readonly string[]
  readonly extra: Record<string, unknown>

  constructor(message: string, { code, exit, hint, commands = [], extra = {} }: FaultOptions) {
    super(message)
    this.name = 'Fault'
    this.code = code
    this.exit = exit
    this.hint = hint
    this.commands = commands
    this.extra = extra
  }
}

export const usage = (message: string, hint?: string) => new Fault(message, { code: 'usage', exit: EXIT.usage, hint })

export const misconfigured = (message: string, hint?: string, extra?: Record<string, unknown>) =>
  new Fault(message, { code: 'configuration', exit: EXIT.configuration, hint, extra })

export const timedOut = (message: string, hint?: string) =>
  new Fault(message, { code: 'timed_out', exit: EXIT.timedOut, hint })

/** The user has stopped the command, or the reader of its output has left. */
export class Interrupted extends Error {}
