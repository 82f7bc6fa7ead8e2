import { z } from 'zod'
import { machineNow } from '../../world/machine-time.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { type Logged, toAnswer } from './recorded.ts'
import { type Bounds, Ring } from './ring.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** The section `request_log` of a world file. */
export const RequestLog = z.strictObject({
  keep: z
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .describe('Most requests that are kept; then the oldest are dropped.'),
  keep_bytes: z
    .int()
    .min(64 * KIB)
    .max(1024 * MIB)
    .default(4 * MIB)
    .describe('Most bytes that requests and answers may take; less where many worlds are open.'),
})

type Kept = z.output<typeof RequestLog>

/** What the logs of all worlds of the process share, so that many worlds do not take many times as much. */
const SHARED_BYTES = 32 * MIB
const MIN_BYTES = 16 * KIB

/** The bounds of the log of this world, as its world file has them. Asked with every request. */
export const bounds = setting<Kept>('request log bounds', (written) => written ?? RequestLog.parse({}))

// Requests are no state of the world: what happens twice alike takes another time on the machine. So they are kept
// beside it, and go with it.
const rings = new WeakMap<World, Ring>()

export function requestsOf(world: World): Ring {
  const known = rings.get(world)
  if (known) return known
  const ring = new Ring(`log_${world.ids.fixedSecret(`requests ${world.namespace} ${machineNow()}`, 24)}`)
  rings.set(world, ring)
  return ring
}

/** The log of a world, and its bounds. */
export interface Room extends Bounds {
  ring: Ring
  /** Told of each request, where somebody watches the process. */
  told: ((logged: Logged) => void) | undefined
}

export function roomIn(world: World): Room {
  const { keep, keep_bytes } = bounds.of(world)
  return {
    ring: requestsOf(world),
    told: teller(world),
    most: keep,
    mostBytes: Math.min(keep_bytes, Math.max(MIN_BYTES, SHARED_BYTES / world.host.count)),
  }
}

/** Keeps a request. On the way of every call, so it only puts by what is there. */
export function record(room: Room, logged: Logged) {
  room.ring.add(logged, room)
  room.told?.(logged)
}

function teller({ namespace, host: { onActivity } }: World): Room['told'] {
  if (!onActivity) return undefined
  return (logged) => {
    const { at, request_id, method, path, status, error, duration_ms } = toAnswer(logged, { full: false })
    onActivity({ type: 'request', namespace, at, request_id, method, path, status, error, duration_ms })
  }
}
