import { Socket } from 'node:net'
import timers from 'node:timers'
import type { MessagePort } from 'node:worker_threads'

/**
 * Node's own timers and clock at the time when this module is loaded, so later fake timers of a test do not stop the
 * sandbox. They come from Node's module instead of the globals, which Jest replaces before it loads the sandbox.
 */
interface RealTimers {
  setTimeout(callback: () => void, ms: number): RealTimer
  clearTimeout(timer: RealTimer | undefined): void
  setImmediate(callback: () => void): RealTimer
  clearImmediate(timer: RealTimer): void
}

interface RealClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since the start of the process, for measuring. */
  ms(): number
}

export interface RealTimer {
  unref(): unknown
}

function nodeTimers(): RealTimers {
  const { setTimeout, clearTimeout, setImmediate, clearImmediate } = timers
  return { setTimeout, clearTimeout, setImmediate, clearImmediate } as unknown as RealTimers
}

/** Node lists its own active timers; a fake one is missing there. */
function areTimersFaked({ setTimeout, clearTimeout }: RealTimers): boolean {
  const before = process.getActiveResourcesInfo().length
  const timer = setTimeout(() => {}, 1_000_000)
  const isCounted = process.getActiveResourcesInfo().length > before
  clearTimeout(timer)
  return !isCounted
}

/** Replaces faked timers: socket timeouts run in real time. */
class SocketTimer implements RealTimer {
  readonly #socket = new Socket()
  /** An unconnected socket keeps no process alive. Typed as Node's, because browser types may exist too. */
  readonly #hold = new MessageChannel().port1 as unknown as MessagePort

  constructor(callback: () => void, ms: number) {
    this.#hold.ref()
    this.#socket.setTimeout(Math.max(1, ms), () => {
      this.clear()
      callback()
    })
  }

  unref() {
    this.#hold.unref()
  }

  clear() {
    this.#socket.destroy()
    this.#hold.close()
  }
}

function timersOfSockets(): RealTimers {
  const setTimeout = (callback: () => void, ms: number) => new SocketTimer(callback, ms)
  const clear = (timer: RealTimer | undefined) => (timer as SocketTimer | undefined)?.clear()
  return {
    setTimeout,
    clearTimeout: clear,
    setImmediate: (callback) => setTimeout(callback, 1),
    clearImmediate: clear,
  }
}

const isFaked = (now: () => number) => !/\[native code\]/.test(Function.prototype.toString.call(now))

/** A new realm has an unreplaced clock. */
const nowOfAnotherRealm = (): (() => number) => process.getBuiltinModule('node:vm').runInNewContext('Date.now')

function realTimersAndClock(): RealTimers & RealClock {
  const found = nodeTimers()
  const areFaked = areTimersFaked(found)
  return {
    ...(areFaked ? timersOfSockets() : found),
    now: areFaked || isFaked(Date.now) ? nowOfAnotherRealm() : Date.now,
    // Not performance.now(), which fake timers replace, and whose module costs a start 1 ms.
    ms: () => process.uptime() * 1000,
  }
}

/** The limit of setTimeout. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Tests of this project replace `now`. */
export const realTime: RealTimers & RealClock = realTimersAndClock()
