import { exchange, type Unreachable } from '../../http/exchange.ts'
import { type ConnectionSettings, isThisMachine } from '../../http/request.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import { problem } from '../../words/problem.ts'
import { type Belief, beliefAsBefore, beliefFrom } from './belief.ts'

/** A webhook; `new Request(webhook.url, webhook)` makes a fetch request of it. */
export interface Webhook {
  url: string
  method: 'POST'
  /** Names in lower case. */
  headers: Record<string, string>
  /** The exact signed body. */
  body: string
}

/** The address of the exploration's sandbox, and its signing secret. */
export interface Environment {
  baseUrl: string
  apiKey: string
  secret: string
}

/** Returns a status, an object with a status, or nothing for 200; a throw is a 500. */
export type HandlerFunction = (webhook: Webhook, environment: Environment) => unknown

/** A shell command of the application; its environment also contains the sandbox's address and secret. */
export interface Command {
  command: string
  /** The current folder by default. */
  cwd?: string | undefined
  /** The environment of this process by default. */
  env?: Readonly<Record<string, string | undefined>> | undefined
}

/** The application under exploration. With `C` of Command, parts of it can be shell commands. */
export interface Application<C = never> {
  /** A URL or function that takes webhooks. */
  handler: string | URL | HandlerFunction
  /** The application's belief: a URL that answers JSON, a function, or a command that prints JSON. */
  truth: string | URL | C | (() => unknown)
  /**
   * Starts the application with the sandbox's address and secret. A command also makes `restart` and `kill` possible, and
   * its process ends with the exploration.
   */
  start?: C | ((environment: Environment) => unknown) | undefined
  /**
   * Clears the application: a URL that is POSTed to, or a function. Rarely needed, because people and ids are new in
   * every run.
   */
  reset?: string | URL | C | (() => unknown) | undefined
  /** Restarts the application, which loses unsaved state; starts it again after a kill. */
  restart?: string | URL | C | (() => unknown) | undefined
  /** Kills the application at once, whatever it is doing; `restart` starts it again. */
  kill?: (() => unknown) | undefined
  /**
   * Asks the application to end as a deployment does, and waits until it has ended; `restart` starts it again. Without it,
   * each restart is `restart` alone.
   */
  terminate?: (() => unknown) | undefined
  /** Describes how the application has ended: exit status and stderr. Undefined while it runs. */
  ended?: (() => string | undefined) | undefined
  /** Returns the last lines that the application has written to stderr. */
  stderr?: (() => string) | undefined
  /** Sets a new secret. A URL gets `{"secret": …}`. */
  rotate?: string | URL | C | ((secret: string) => unknown) | undefined
}

/** Time limit of probes and levers, which may be slower than webhooks. */
const TIMEOUT_MS = 30_000
/** Time limit of a probe that has answered before, or this factor times its slowest answer, if that is more. */
const MIN_LIMIT_MS = 10_000
/** The same after a silence: what follows repeats it, and makes it smaller. */
const MIN_LIMIT_AGAIN_MS = 3_000
const LIMIT_FACTOR = 20
/** Answers up to this size are validated each time; larger ones once. */
const VALIDATED_CHARACTERS = 100_000

interface ProbeOptions {
  headers?: Readonly<Record<string, string>> | undefined
  network?: ConnectionSettings | undefined
  signal?: AbortSignal | undefined
}

/** Returns a function that asks the truth probe. */
export function beliefReader(
  { truth }: Application,
  { headers = {}, network, signal }: ProbeOptions,
): () => Promise<Belief> {
  if (typeof truth === 'function') return async () => beliefFrom(await truth())
  const url = new URL(truth)
  let isValid = false
  let last: { body: Buffer; belief: Belief } | undefined
  let slowestMs = 0
  let hasTimedOut = false
  const limitMs = () => {
    if (!isValid) return TIMEOUT_MS
    const least = hasTimedOut ? MIN_LIMIT_AGAIN_MS : MIN_LIMIT_MS
    return Math.min(TIMEOUT_MS, Math.max(least, LIMIT_FACTOR * slowestMs))
  }
  // On a kept connection, a server that writes its answer in two pieces waits 40 ms for an acknowledgement.
  const isAlone = isThisMachine(url)
  return async () => {
    const request = { method: 'GET', url, headers, timeoutMs: limitMs(), isAlone, network, signal }
    const elapsed = stopwatch()
    const { status, body } = await exchange(request).catch((error: Unreachable) => {
      const isSilent = error.code === 'ETIMEDOUT'
      hasTimedOut ||= isSilent
      // Something listens, so the hint to start it would be wrong.
      throw isSilent && !isValid && error.wasConnected
        ? problem('validation_error', `The truth probe ${url} gave no answer within ${TIMEOUT_MS / 1_000} s.`)
        : error
    })
    slowestMs = Math.max(slowestMs, elapsed())
    if (status >= 500 && isValid) throw new ProbeFailed(`it answered ${status}`)
    if (status !== 200) throw problem('validation_error', `The truth probe ${url} answered ${status}, not 200.`)
    // Most looks find what the one before has found.
    if (last?.body.equals(body)) return last.belief
    try {
      const value = parsed(body.toString(), String(url))
      const belief = isValid && body.length > VALIDATED_CHARACTERS ? beliefAsBefore(value) : beliefFrom(value)
      isValid = true
      last = { body, belief }
      return belief
    } catch (error) {
      throw isValid ? new ProbeFailed(`its answer is not valid any more: ${(error as Error).message}`) : error
    }
  }
}

/** The truth probe gave a valid answer before, but no longer does. */
export class ProbeFailed extends Error {}

/** Parses the output of a probe. */
export function parsed(text: string, from: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem('validation_error', `The truth probe ${from} gave no JSON: ${(error as Error).message}.`)
  }
}

/** Uses a lever of an application: calls a function, POSTs to a URL. */
export async function useLever<T extends [secret?: string]>(
  lever: string | URL | ((...args: T) => unknown),
  ...args: T
): Promise<void> {
  if (typeof lever === 'function') return void (await lever(...args))
  const url = new URL(lever)
  const body = JSON.stringify(args.length > 0 ? { secret: args[0] } : {})
  const headers = { 'Content-Type': 'application/json' }
  const { status } = await exchange({ method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS })
  if (status >= 300) throw problem('validation_error', `${url} answered ${status}, not 2xx.`)
}

export const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'command' in value

export const isAddress = (place: unknown): place is string | URL =>
  place !== undefined && typeof place !== 'function' && !isCommand(place)

/** The application's addresses on other machines. */
export const remoteAddresses = ({ handler, truth, reset, restart, rotate }: Application<Command>): URL[] =>
  [handler, truth, reset, restart, rotate]
    .filter(isAddress)
    .map((place) => new URL(place))
    .filter((url) => !isThisMachine(url))
