import { types } from 'node:util'
import type { Sandbox } from '../library/sandbox.ts'

/** Finds calls that a test has not awaited, so that it fails itself and not the one after it. */
export class AwaitedCalls {
  readonly #open = new Set<StartedCall>()

  /** Follows a call whose promise goes to the test itself. Nobody awaits it until somebody asks it for its result. */
  followed<T>(name: string, call: Promise<T>, calledAt: () => string): Promise<T> {
    const started: StartedCall = { name, calledAt }
    this.#open.add(started)
    const followed = new FollowedPromise<T>((resolve, reject) => void call.then(resolve, reject))
    followed.onAwaited = () => void this.#open.delete(started)
    // The runner would blame the test that is under way when this fails.
    call.catch((error: unknown) => {
      started.error = error
    })
    followed.silence()
    return followed
  }

  /** Follows a check whose promise a runner wraps: it is awaited when it has ended before its test. */
  until(name: string, check: Promise<unknown>, calledAt: () => string) {
    const started: StartedCall = { name, calledAt }
    this.#open.add(started)
    const end = () => void this.#open.delete(started)
    check.then(end, end)
    return started
  }

  /** The error for a test that has ended, at its first such call; undefined where it awaited all its calls. */
  missing(): Error | undefined {
    const [first] = this.#open
    if (!first) return undefined
    const why =
      first.error === undefined ? '' : ` It failed: ${(first.error as Partial<Error>)?.message ?? first.error}`
    const names = [...new Set([...this.#open].map(({ name }) => name))]
    for (const started of this.#open) started.isAbandoned = true
    const verb = names.length === 1 ? 'was' : 'were'
    return at(
      first.calledAt(),
      new Error(`${names.join(', ')} ${verb} not awaited: write await before the call.${why}`),
    )
  }
}

/** A call that has started. */
export interface StartedCall {
  name: string
  /** The frames of the call. */
  calledAt(): string
  error?: unknown
  /** Its test has ended, so nobody may hear of its failure. */
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

/** The sandbox of a test, whose calls are followed. */
export const following = (sandbox: Sandbox, calls: AwaitedCalls): Sandbox => followedObject(sandbox, 'sandbox', calls)

function followedObject<T extends object>(target: T, path: string, calls: AwaitedCalls): T {
  const made = new Map<unknown, unknown>()
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof name === 'symbol' || BACKGROUND.has(name) || name === 'observer') return value
      if (!isFollowed(value)) return value
      const existing = made.get(name)
      if (existing !== undefined) return existing
      const place = `${path}.${name}`
      const it =
        typeof value === 'function' ? followedCall(value, target, place, calls) : followedObject(value, place, calls)
      made.set(name, it)
      return it
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
      return calls.followed(`${place}(${argumentsInWords(args)})`, result as Promise<unknown>, callSite())
    return isFollowed(result) && typeof result !== 'function' ? followedObject(result, `${place}(…)`, calls) : result
  }

const argumentsInWords = ([first]: unknown[]) =>
  typeof first === 'string' ? `'${first}'` : first === undefined ? '' : '…'
