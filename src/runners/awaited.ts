import { isDeepStrictEqual, types } from 'node:util'
import type { Refusal } from '../client/call.ts'
import { locationIn } from '../evidence/place.ts'
import { within } from '../http/within.ts'
import type { Lease } from '../library/lease.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { getOrAdd } from '../words/get-or-add.ts'

/** Finds calls that a test has not awaited, so that it fails itself and not the one after it. */
export class AwaitedCalls {
  /** Calls that have not been awaited so far. */
  readonly #open = new Set<StartedCall>()
  /** Checks and waits that have not ended, each with the reason. */
  readonly #waits = new Set<Wait>()
  readonly #ending = new AbortController()

  /** Aborts when the runner has ended the test: checks then end with their current result. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Tracks a call whose promise is returned to the test. It counts as awaited once its result is used. */
  followed<T>(name: string, call: Promise<T>, calledAt: () => string, why?: Wait): Promise<T> {
    const started: StartedCall = { name, calledAt }
    this.#open.add(started)
    if (why) this.#waitsFor(call, why)
    return this.#noticing(started, call, () => void this.#open.delete(started))
  }

  /** The promise for the test: the first use of its result counts as an await. */
  #noticing<T>(started: StartedCall, call: Promise<T>, onAwaited: () => void): Promise<T> {
    const followed = new FollowedPromise<T>(
      (resolve, reject) => void call.then(resolve, (error: unknown) => reject(alsoAt(started.calledAt, error))),
    )
    followed.onAwaited = onAwaited
    // The runner would blame the test that is in progress when this fails.
    call.catch((error: unknown) => {
      started.error = error
    })
    followed.silence()
    return followed
  }

  /**
   * Follows a check whose promise goes to a runner. It is awaited when it has ended before its test and, if `handedOut`
   * follows the runner's own promise, when the test has awaited that one.
   */
  until(name: string, check: Promise<unknown>, calledAt: () => string, why: Wait) {
    const started: StartedCall = { name, calledAt, isRunning: true, mayBeAwaited: true }
    this.#open.add(started)
    this.#waitsFor(check, why)
    const end = () => this.#change(started, { isRunning: false })
    check.then(end, end)
    return started
  }

  /** Follows the promise that a runner gives to the test for the one of a check. */
  handedOut<T>(started: StartedCall, promise: Promise<T>): Promise<T> {
    started.mayBeAwaited = false
    return this.#noticing(started, promise, () => this.#change(started, { mayBeAwaited: true }))
  }

  #change(started: StartedCall, change: Partial<StartedCall>) {
    Object.assign(started, change)
    if (started.mayBeAwaited && !started.isRunning) this.#open.delete(started)
  }

  #waitsFor(work: Promise<unknown>, why: Wait) {
    this.#waits.add(why)
    const end = () => void this.#waits.delete(why)
    work.then(end, end)
  }

  /** The waits of a failed test, such as one that exceeded its time limit, and why they were not over. */
  async unfinished(): Promise<string[]> {
    const waits = [...this.#waits]
    this.#ending.abort()
    for (const started of this.#open) started.isAbandoned = true
    const reasons = await Promise.all(waits.map((why) => within(LOOK_MS, why())))
    return reasons.flatMap((reason) => (reason === undefined ? [] : [`Still waiting when the test ended: ${reason}`]))
  }

  /** The error for a test that has ended, at its first such call; undefined if it awaited all its calls. */
  missing(): Error | undefined {
    return this.#missing([...this.#open])
  }

  /** The same for a failed test: a check whose promise its runner wraps may have been awaited when it failed. */
  surelyMissing(): Error | undefined {
    return this.#missing([...this.#open].filter(({ mayBeAwaited }) => !mayBeAwaited))
  }

  #missing(calls: readonly StartedCall[]): Error | undefined {
    const [first] = calls
    if (!first) return undefined
    const why =
      first.error === undefined ? '' : ` It failed: ${(first.error as Partial<Error>)?.message ?? first.error}`
    const names = [...new Set(calls.map(({ name }) => name))]
    for (const started of calls) started.isAbandoned = true
    const verb = names.length === 1 ? 'was' : 'were'
    return at(
      first.calledAt(),
      new Error(`${names.join(', ')} ${verb} not awaited: write await before the call.${why}`),
    )
  }
}

/** The time for a last look at what a test waits for, machine ms. */
const LOOK_MS = 500

/** Returns the reason why the wait is not over; undefined if it is. */
type Wait = () => Promise<string | undefined>

export const reasonOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: Partial<Refusal>) => error.reason ?? error.message,
  )

/** A call that has started. */
export interface StartedCall {
  name: string
  /** The frames of the call. */
  calledAt(): string
  isRunning?: boolean
  /** Whether the test awaits its promise is unknown, or it does. */
  mayBeAwaited?: boolean
  error?: unknown
  /** Its test has ended, so its failure is not reported. */
  isAbandoned?: boolean
}

/** The frames of the caller's call, which an error of an asynchronous check has lost. They are formatted when read. */
export function callSite(): () => string {
  const called = new Error('called')
  return () => called.stack?.split('\n').slice(3).join('\n') ?? ''
}

export function at<E>(calledAt: string, error: E): E {
  // An error of another realm is no instance of this realm's Error.
  if (types.isNativeError(error) && calledAt !== '') error.stack = `${error.name}: ${error.message}\n${calledAt}`
  return error
}

/** V8 follows no promise of a subclass to the function that awaits it, so the caller's frames come after those of the error. */
function alsoAt<E>(calledAt: () => string, error: E): E {
  if (!types.isNativeError(error)) return error
  const frames = calledAt()
  const hasFrames = error.stack?.endsWith(frames) || isDeepStrictEqual(locationIn(error.stack), locationIn(frames))
  if (!hasFrames) error.stack = `${error.stack}\n${frames}`
  return error
}

class FollowedPromise<T> extends Promise<T> {
  onAwaited: (() => void) | undefined

  static override get [Symbol.species]() {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: await calls this method
  override then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.onAwaited?.()
    return super.then(done, failed)
  }

  /** Keeps the process from reporting a failure that the test reports. */
  silence() {
    super.then(undefined, () => {})
  }
}

/** Calls that an application may begin without awaiting them. */
const BACKGROUND = new Set(['fetch', 'stop'])

/** Calls that wait, and the place of their options. */
const WAITS: Readonly<Record<string, number>> = { code: 0, link: 1, waitFor: 2 }

/** The sandbox or a lease of a test, whose calls are followed. */
export const following = <T extends Sandbox | Lease>(it: T, name: string, calls: AwaitedCalls): T =>
  followedObject(it, name, calls)

function followedObject<T extends object>(target: T, path: string, calls: AwaitedCalls): T {
  const made = new Map<string, object>()
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof name === 'symbol' || BACKGROUND.has(name) || name === 'observer') return value
      if (!isFollowed(value)) return value
      const place = `${path}.${name}`
      return getOrAdd(made, name, () =>
        typeof value === 'function' ? followedCall(value, target, place, calls) : followedObject(value, place, calls),
      )
    },
  })
}

const isFollowed = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null && !Array.isArray(value))

const followedCall =
  (call: object, self: object, place: string, calls: AwaitedCalls) =>
  (...args: unknown[]): unknown => {
    const result: unknown = Reflect.apply(call as () => unknown, self, args)
    if (typeof (result as Partial<Promise<unknown>> | null)?.then === 'function')
      return calls.followed(
        `${place}(${argumentsInWords(args)})`,
        MAKES_CALLER.test(place)
          ? (result as Promise<object>).then((it) => followedObject(it, callerName(place), calls))
          : (result as Promise<unknown>),
        callSite(),
        lastLook(call as () => Promise<unknown>, self, place, args),
      )
    return isFollowed(result) && typeof result !== 'function' ? followedObject(result, `${place}(…)`, calls) : result
  }

/** Calls whose result makes calls as well: a lease, or the client of a fork. */
const MAKES_CALLER = /\.(lease\.(phone|email)|fork)$/
const callerName = (place: string) => (place.endsWith('.fork') ? `${place}(…)` : 'lease')

/** A call that waits is repeated without waiting, to say why it had no result. */
function lastLook(call: () => Promise<unknown>, self: object, place: string, args: unknown[]): Wait | undefined {
  const index = WAITS[place.slice(place.lastIndexOf('.') + 1)]
  if (index === undefined) return undefined
  const options = { ...(args[index] as object | undefined), within: '0s' }
  return async () =>
    // The limit is that of the test.
    (
      await reasonOf(
        Reflect.apply(call, self, [...args, ...Array(index).fill(undefined)].slice(0, index).concat(options)),
      )
    )?.replace(' within 0s', ' before the test ended')
}

const argumentsInWords = ([first]: unknown[]) =>
  typeof first === 'string' ? `'${first}'` : first === undefined ? '' : '…'
