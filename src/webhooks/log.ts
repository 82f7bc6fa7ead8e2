import { problem } from '../words/problem.ts'
import { isoTime } from '../world/clock.ts'
import { machineNow } from '../world/machine-time.ts'
import { metaStore } from '../world/meta.ts'
import type { Action } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { EventData, EventName } from './catalogue.ts'
import type { listEvents, moveCursor, showCursor, showSecret } from './log-contract.ts'
import { type EventRow, logStore } from './log-store.ts'

/** Writes an event down. Its bytes are made here, once; whoever sends it later sends these. */
export function append<Name extends EventName>(
  world: World,
  event: Name,
  subject: string,
  data: EventData<Name>,
): EventRow {
  const id = world.newId('evt_')
  const at = world.now()
  const body = JSON.stringify({ id, event, timestamp: isoTime(at), data })
  const row = world.store(logStore).append({ id, event, at, subject, body })
  world.announceEvents()
  return row
}

export function eventById(world: World, id: string): EventRow {
  const row = world.store(logStore).byId(id)
  if (!row) throw problem('not_found', `No event ${id} in this world.`)
  return row
}

/**
 * Tells one log from another that a restart in memory began with the same seed. For that it must not follow
 * from the seed, so it is the one id that comes from the machine's clock; no event carries it.
 */
export function logIdOf(world: World): string {
  const meta = world.store(metaStore)
  const known = meta.get<string>('log id')
  if (known) return known
  const id = `log_${world.fixedSecret(`log ${world.namespace} ${machineNow()}`, 24)}`
  world.transaction(() => meta.set('log id', id))
  return id
}

export const standingOf = (world: World) => ({ last_seq: world.store(logStore).lastSeq(), log_id: logIdOf(world) })

const DEFAULT_LIMIT = 50

export const list: Action<typeof listEvents> = (world, { query }) => {
  const { after = 0, limit = DEFAULT_LIMIT, event, subject } = query
  const rows = world.store(logStore).read({ after, limit: limit + 1, names: event, subject })
  return {
    events: rows.slice(0, limit).map(({ seq, body }) => ({ seq, ...JSON.parse(body) })),
    has_more: rows.length > limit,
    ...standingOf(world),
  }
}

export const cursor: Action<typeof showCursor> = (world, { params }) => {
  const name = cursorName(params.name)
  return { name, seq: world.store(logStore).cursor(name), ...standingOf(world) }
}

export const move: Action<typeof moveCursor> = (world, { params, body: { seq } }) => {
  const name = cursorName(params.name)
  const standing = standingOf(world)
  if (seq > standing.last_seq) throw refusal('seq', 'too_big', `is beyond the log, which ends at ${standing.last_seq}`)
  world.store(logStore).moveCursor(name, seq)
  return { name, seq, ...standing }
}

/** Fixed by the seed, so that it can be written into the configuration of the receiver under development. */
export const secret: Action<typeof showSecret> = (world) => ({ secret: relaySecret(world) })

export const relaySecret = (world: World): string => `whsec_${world.fixedSecret('relay', 32)}`

function cursorName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw refusal('name', 'invalid_format', 'must have 1 to 64 of letters, digits, _, . and -')
}

const refusal = (field: string, code: string, message: string) =>
  problem('validation_error', `${field}: ${message}.`, { details: [{ field, code, message }] })
