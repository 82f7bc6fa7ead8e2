import { runInThisContext } from 'node:vm'

/** Node's own process: Jest gives each test file a copy of it, whose functions Node does not use. */
const nodes: { process: NodeJS.Process; queueMicrotask: typeof queueMicrotask } = runInThisContext('globalThis')
const { nextTick } = nodes.process
const realQueueMicrotask = nodes.queueMicrotask

/** Fake timers such as Sinon's leave their clock on what they replace. Monitoring tools wrap these functions too. */
const isFaked = (tick: unknown): boolean => typeof tick === 'function' && 'clock' in tick
export const areTicksFaked = (): boolean => isFaked(nodes.process.nextTick)

const HOW = "pass toNotFake: ['nextTick', 'queueMicrotask'] to the fake timers"

/** Node's streams and sockets stand still while process.nextTick is faked, so a call would wait for ever. */
export function refuseFakedTicks() {
  if (areTicksFaked()) throw new Error(`process.nextTick is faked, so no request can be answered: ${HOW}.`)
}

/** Puts Node's own functions back, so that a runner can go on. Returns a sentence where they were faked. */
export function restoreTicks(): string | undefined {
  if (!areTicksFaked() || isFaked(nextTick)) return undefined
  nodes.process.nextTick = nextTick
  nodes.queueMicrotask = realQueueMicrotask
  return `process.nextTick was faked, so requests were not answered: ${HOW}.`
}
