import { sparse } from '../../words/sparse.ts'
import { machineNow } from '../machine-time.ts'
import type { DumpOptions } from '../noun.ts'
import { FROZEN_START, isoTime, parseIsoTime } from '../time/clock.ts'
import type { World } from '../world.ts'
import { worldFileSchema } from './schema.ts'
import type { WorldFile } from './world-file.ts'

/** Dumps a world as the content of a world file that recreates it. */
export function dumpWorld(world: World, options: DumpOptions): Record<string, unknown> {
  const { sections } = world.nouns
  const full = {
    clock: clockOf(world),
    ...Object.fromEntries(sections.map(({ key, dump }) => [key, dump(world, options)])),
  }
  const content = sparse(worldFileSchema(sections), full) as Record<string, unknown>
  // The seed is always dumped, because everything depends on it.
  return { seed: world.seed, ...Object.fromEntries(Object.entries(content).filter(([, value]) => !isEmpty(value))) }
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** A clock this close to the machine's is dumped as following it. */
const UNNOTICED_MS = 1_000

function clockOf({ clock }: World): WorldFile['clock'] {
  const now = clock.now()
  if (clock.pace.mode === 'real') {
    const isShifted = Math.abs(now - machineNow()) > UNNOTICED_MS
    return isShifted ? { mode: 'real', now: isoTime(now) } : undefined
  }
  return { ...clock.pace, now: now === parseIsoTime(FROZEN_START) ? undefined : isoTime(now) }
}
