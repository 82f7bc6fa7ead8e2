import type { Command } from 'commander'
import { Unanswered } from '../../client/unanswered.ts'
import { reportFailure } from '../failure/failure.ts'
import type { Output } from '../output/output.ts'
import { selecting } from '../output/selection.ts'
import { EXIT, type ExitCode, Interrupted } from '../process/exit.ts'
import type { Io, StopReason } from '../process/io.ts'
import { DryRunDone } from '../target/dry-run.ts'
import { type Endpoint, endpointOf } from '../target/endpoint.ts'
import { addGlobals, flagsOf } from '../target/globals.ts'
import { refuseRepeatedOptions } from './repeated-options.ts'

/** What a command works with. */
export interface Session {
  io: Io
  output: Output
  /** The service to speak to. */
  readonly endpoint: Endpoint
}

/** Where commands of one run are made and their exit code is left. */
export interface Run {
  argv: readonly string[]
  io: Io
  output: Output
  exit: ExitCode
}

type Options = Record<string, unknown>
type Work = (
  session: Session,
  args: (string | undefined)[],
  options: Options,
) => Promise<ExitCode | undefined> | Promise<void>

export interface WorkOptions {
  /** Of the options that every command has, those that mean something here; all unless given. */
  globals?: readonly string[]
  /** It asks again and again itself. */
  hasOwnRetries?: boolean
}

/** Gives a command its work. */
export function setAction(
  command: Command,
  run: Run,
  work: Work,
  { globals, hasOwnRetries = false }: WorkOptions = {},
) {
  addGlobals(command, globals ? { only: globals } : {})
  refuseRepeatedOptions(command)
  command.action(async () => {
    const { io } = run
    const output = await selecting(run.output, flagsOf(command))
    let known: Endpoint | undefined
    const session: Session = {
      io,
      output,
      // What speaks to no service must work whatever is configured for those.
      get endpoint() {
        known ??= endpointOf(command, session, hasOwnRetries)
        return known
      },
    }
    run.exit = (await handlingInterrupts(work(session, command.processedArgs, command.opts()), run)) ?? EXIT.ok
  })
}

/** A command that does not heed the signal itself is left where it stands; what it broke off is no failure. */
async function handlingInterrupts(work: ReturnType<Work>, { io, output }: Run): Promise<ExitCode | undefined> {
  try {
    return (await work) ?? undefined
  } catch (error) {
    if (error instanceof DryRunDone) return EXIT.ok
    // What was on its way may have been done all the same.
    if (io.signal.aborted && error instanceof Unanswered) reportFailure(error, output)
    if ((io.signal.aborted && isAbort(error)) || isPromptAborted(error)) throw new Interrupted()
    throw error
  }
}

/** A terminal that asks takes Ctrl-C for itself, and no signal comes. */
const isPromptAborted = (error: unknown) => error instanceof Error && error.name === 'ExitPromptError'

const STOPS = new Set<unknown>(['SIGINT', 'SIGTERM', 'EPIPE'] satisfies StopReason[])

function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return STOPS.has(error)
  return ['AbortError', 'AbortPromptError'].includes(error.name) || isAbort(error.cause)
}
