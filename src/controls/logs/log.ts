import { z } from 'zod'
import { lazilyFor } from '../../words/lazy.ts'
import { machineNow } from '../../world/machine-time.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { type LogEntry, toAnswer } from './exchange-record.ts'
import { type Bounds, Ring } from './ring.ts'

const KIB = 1024
const MIB = 1024 * KIB

const DEFAULTS = { keep: 1_000, keep_bytes: 4 * MIB }

/** The section `request_log` of a world file. */
export const RequestLog = z.strictObject({
  keep: z
    .int()
    .min(1)
    .max(100_000)
    .default(DEFAULTS.keep)
    .describe('Maximum number of requests kept; older ones are dropped.'),
  keep_bytes: z
    .int()
    .min(64 * KIB)
    .max(1024 * MIB)
    .default(DEFAULTS.keep_bytes)
    .describe('Maximum size of requests and answers in bytes; lower while many worlds are open.'),
})

type RequestLogBounds = z.output<typeof RequestLog>

/** All worlds share this size, so that many worlds fit into memory. */
const SHARED_BYTES = 32 * MIB
const MIN_BYTES = 16 * KIB

/** The bounds from the world file. Every request reads them. */
export const bounds = setting<RequestLogBounds>('request log bounds', (written) => written ?? DEFAULTS)

// Requests are not part of the world's state, because durations differ between equal runs. They are kept separately.
export const requestsOf = lazilyFor(
  ({ ids, namespace }: World) => new Ring(`log_${ids.fixedSecret(`requests ${namespace} ${machineNow()}`, 24)}`),
)

/** Appends to the log of a world within its bounds. */
export interface LogWriter extends Bounds {
  ring: Ring
  /** Called for each request, if the activity is printed. */
  onRecorded: ((logged: LogEntry) => void) | undefined
}

export function logWriterOf(world: World): LogWriter {
  const { keep, keep_bytes } = bounds.of(world)
  return {
    ring: requestsOf(world),
    onRecorded: activityReporter(world),
    most: keep,
    mostBytes: Math.min(keep_bytes, Math.max(MIN_BYTES, SHARED_BYTES / world.host.count)),
  }
}

/** Logs a request. It runs on every call, so it only stores available values. */
export function record(room: LogWriter, logged: LogEntry) {
  room.ring.add(logged, room)
  room.onRecorded?.(logged)
}

function activityReporter({ namespace, host: { onActivity } }: World): LogWriter['onRecorded'] {
  if (!onActivity) return undefined
  return (logged) => {
    const { at, request_id, method, path, status, error, duration_ms } = toAnswer(logged)
    onActivity({ type: 'request', namespace, at, request_id, method, path, status, error, duration_ms })
  }
}
