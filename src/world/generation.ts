import { setting } from './setting.ts'
import type { World } from './world.ts'

/** Rises when a world is reset or restored, and when its event log is emptied: positions told before mean nothing then. */
export const generation = setting<number>('era', (written) => written ?? 0)

/** Whoever keeps facts about the world beside its database drops them. */
export function startGeneration(world: World, number: number) {
  generation.set(world, number)
  for (const onReplaced of world.nouns.onReplaced) onReplaced(world)
}
