import { runInThisContext } from 'node:vm'

/** Node's own process: Jest gives each test file a copy of it, whose functions Node does not use. */
const nodes: { process: NodeJS.Process; queueMicrotask: typeof queueMicrotask } = runInThisContext('globalThis')
const { nextTick } = nodes.process
const realQueueMicrotask = nodes.queueMicrotask

/** Fake timers such as Sinon's leave their clock on what they replace. Monitoring tools wrap these functions too. */
const isFaked = (tick: unknown): boolean => typeof tick === 'function' && 'clock' in tick
export const areTicksFaked = (): boolean => isFaked(nodes.process.nextTick)

const FAKED =
  "process.nextTick is faked, so no request is answered: pass toNotFake: ['nextTick', 'queueMicrotask'] to the fake timers."

/** Node's streams and sockets stand still while process.nextTick is faked, so a call would wait for ever. */
export function refuseFakedTicks() {
  if (areTicksFaked()) throw new Error(FAKED)
}

interface FakeClock {
  runMicrotasks?(): void
  uninstall?(): void
  countTimers?(): number
}

/** A note on fake timers that have not fired, for which a test without end may wait; undefined without one. */
export function heldBackTimers(): string | undefined {
  const { clock } = setTimeout as { clock?: FakeClock }
  const count = clock?.countTimers?.() ?? 0
  if (count === 0) return undefined
  const [what, it] = count === 1 ? ['1 fake timer has', 'it'] : [`${count} fake timers have`, 'them']
  return `${what} not fired: advance ${it}, or leave the application its real timers.`
}

/**
 * Removes the fake timers of an ended test, so that its runner can continue; the callbacks they held back run
 * first. Returns a note if process.nextTick was faked.
 */
export function restoreTicks(): string | undefined {
  if (!areTicksFaked()) return undefined
  const { clock } = nodes.process.nextTick as { clock?: FakeClock }
  clock?.runMicrotasks?.()
  clock?.uninstall?.()
  if (areTicksFaked() && !isFaked(nextTick)) {
    nodes.process.nextTick = nextTick
    nodes.queueMicrotask = realQueueMicrotask
  }
  return FAKED
}
