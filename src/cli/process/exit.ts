/** What the exit code of every command means. */
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
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

interface FaultOptions {
  /** Machine-readable name, beside the codes of interface §7. */
  code: string
  exit: ExitCode
  /** What to do about it, one line. */
  hint?: string | undefined
  /** More fields for readers that are programs. */
  extra?: Record<string, unknown> | undefined
}

/** Something a command cannot go on with, and whose cause the user can mend. */
export class Fault extends Error {
  readonly code: string
  readonly exit: ExitCode
  readonly hint: string | undefined
  readonly extra: Record<string, unknown>

  constructor(message: string, { code, exit, hint, extra = {} }: FaultOptions) {
    super(message)
    this.name = 'Fault'
    this.code = code
    this.exit = exit
    this.hint = hint
    this.extra = extra
  }
}

/** The command line itself is wrong. */
export const usage = (message: string, hint?: string) => new Fault(message, { code: 'usage', exit: EXIT.usage, hint })

export const misconfigured = (message: string, hint?: string, extra?: Record<string, unknown>) =>
  new Fault(message, { code: 'configuration', exit: EXIT.configuration, hint, extra })

export const timedOut = (message: string, hint?: string) =>
  new Fault(message, { code: 'timed_out', exit: EXIT.timedOut, hint })

/** The user, or the reader of our output, wants no more. */
export class Interrupted extends Error {}
