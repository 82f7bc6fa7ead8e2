import { setting } from './setting.ts'
import type { World } from './world.ts'

/** Rises when a world is reset or restored, and when its event log is emptied: positions told before mean nothing then. */
export const generation = setting<number>('era', (written) => written ?? 0)

/** What the ids and secrets of a world follow from beside its seed. Read when its database is opened. */
export const IDENTITY = 'identity'
export const identity = setting<string>(IDENTITY, (written) => written ?? '')

/** Makes a world that is a copy, of the template or of a snapshot, the next one of its namespace. */
export function startGeneration(world: World, number: number) {
  generation.set(world, number)
  for (const onCopied of world.nouns.onCopied) onCopied(world)
}
