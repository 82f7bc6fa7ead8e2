import { setting } from './setting.ts'
import type { World } from './world.ts'

/**
 * Counts resets and restores of a world, and clearings of its event log; log positions of earlier generations are
 * invalid.
 */
export const generation = setting<number>('era', (written) => written ?? 0)

/** Ids and secrets of a world are derived from this and its seed. Read when the database is opened. */
export const IDENTITY = 'identity'
export const identity = setting<string>(IDENTITY, (written) => written ?? '')

/** Turns a copy of the template or of a snapshot into the next generation of its namespace. */
export function startGeneration(world: World, number: number) {
  generation.set(world, number)
  for (const onCopied of world.nouns.onCopied) onCopied(world)
}
