import type { Command } from 'commander'
import { Refusal } from '../../client/call.ts'
import { Unanswered } from '../../client/unanswered.ts'
import { reportFailure } from '../failure/failure.ts'
import { withOptions } from '../failure/with-options.ts'
import { type CommandFacts, setFacts } from '../help/facts.ts'
import type { Output } from '../output/output.ts'
import { selecting } from '../output/selection.ts'
import { EXIT, type ExitCode, Interrupted } from '../process/exit.ts'
import type { Io, StopReason } from '../process/io.ts'
import { DryRunDone } from '../target/dry-run.ts'
import { type Endpoint, endpointOf } from '../target/endpoint.ts'
import { addGlobals, flagsOf, GROUP } from '../target/globals.ts'
import { checkOptions, refuseEmptyArguments } from './check-options.ts'

export interface Session {
  io: Io
  output: Output
  /** The service to call. */
  readonly endpoint: Endpoint
  /** Finds the service again: a sandbox of this folder may have started meanwhile. */
  chooseAgain(): void
}

/** One run of the program: commands are added with it and leave their exit code in it. */
export interface Run {
  argv: readonly string[]
  io: Io
  output: Output
  exit: ExitCode
}

type Options = Record<string, unknown>
type Work<Args, Flags> = (session: Session, args: Args, options: Flags) => Promise<ExitCode | undefined> | Promise<void>

interface Action extends CommandFacts {
  /** The global options that this command has; all by default. */
  globals?: readonly string[]
  /** The command repeats its calls itself, so the client does not retry. */
  hasOwnRetries?: boolean | ((options: Options) => boolean)
  /** Its own options are fields of its request, and the service decides whether they may be empty. */
  sendsFields?: boolean
  /** Its arguments are the words of another command line, which may be empty. */
  takesCommandLine?: boolean
  /** How the fields of its request are typed, where their names differ from those of its options and arguments. */
  typedAs?: Readonly<Record<string, string>>
}

/** Sets the action of a command, and facts about it. Arguments and options are of the types that `work` takes. */
export function setAction<
  Args extends readonly unknown[] = readonly (string | undefined)[],
  Flags extends object = Options,
>(
  command: Command,
  run: Run,
  { globals, hasOwnRetries = false, sendsFields = false, takesCommandLine = false, typedAs = {}, ...facts }: Action,
  work: Work<Args, Flags>,
) {
  setFacts(command, facts)
  addGlobals(command, globals ? { only: globals } : {})
  checkOptions(command, run.argv, { areFields: sendsFields })
  command.action(async () => {
    const { io } = run
    if (!takesCommandLine) refuseEmptyArguments(command)
    const output = await selecting(run.output, flagsOf(command))
    let resolved: Endpoint | undefined
    const resolve = () => {
      const repeatsCalls = typeof hasOwnRetries === 'function' ? hasOwnRetries(command.opts()) : hasOwnRetries
      const endpoint = endpointOf(command, session, repeatsCalls)
      output.aimHintsAt(endpoint.targetFlags)
      return endpoint
    }
    const session: Session = {
      io,
      output,
      // Read lazily: commands that call no service must work with a broken configuration.
      get endpoint() {
        resolved ??= resolve()
        return resolved
      },
      chooseAgain() {
        const found = resolve()
        if (found.baseUrl !== resolved?.baseUrl) resolved = found
      },
    }
    const done = work(session, command.processedArgs as unknown as Args, command.opts<Flags>()).catch(
      (error: unknown) => {
        // Fields of --data are not typed as options.
        throw error instanceof Refusal && !command.opts().data
          ? withOptions(error, { ...sameNames(command), ...typedAs })
          : error
      },
    )
    run.exit = (await handlingInterrupts(done, run)) ?? EXIT.ok
    // A stream that was stopped may not have shown anything yet.
    if (!io.signal.aborted) output.ended()
  })
}

/** By field: the option or argument of the same name. */
const sameNames = (command: Command): Record<string, string> =>
  Object.fromEntries([
    ...command.registeredArguments.map((argument) => [argument.name(), `<${argument.name()}>`]),
    ...command.options.flatMap(({ long, helpGroupHeading }) =>
      long && helpGroupHeading !== GROUP ? [[long.slice(2).replaceAll('-', '_'), long]] : [],
    ),
    ['Idempotency-Key', '--idempotency-key'],
  ])

/** Turns an interruption that the command itself did not handle into {@link Interrupted}. */
async function handlingInterrupts(
  work: ReturnType<Work<never, never>>,
  { io, output }: Run,
): Promise<ExitCode | undefined> {
  try {
    return (await work) ?? undefined
  } catch (error) {
    if (error instanceof DryRunDone) return EXIT.ok
    // The call may have been carried out before it was aborted.
    if (io.signal.aborted && error instanceof Unanswered) reportFailure(error, output, EXIT.interrupted)
    if ((io.signal.aborted && isAbort(error)) || isPromptAborted(error)) throw new Interrupted()
    throw error
  }
}

/** A prompt reads Ctrl-C itself, so no signal arrives. */
const isPromptAborted = (error: unknown) => error instanceof Error && error.name === 'ExitPromptError'

const STOPS = new Set<unknown>(['SIGINT', 'SIGTERM', 'SIGHUP', 'EPIPE'] satisfies StopReason[])

function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return STOPS.has(error)
  return ['AbortError', 'AbortPromptError'].includes(error.name) || isAbort(error.cause)
}
