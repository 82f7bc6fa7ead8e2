import type { Scope } from '../words/vocabulary.ts'
import type { World } from './world.ts'

/** Puts a world, or a part of it, back to how it started. */
export async function resetScope(world: World, scope: Scope): Promise<void> {
  if (scope === 'all') return world.host.reset(world)
  world.transaction(() => {
    for (const resets of world.nouns.resets) resets[scope]?.(world)
    world.host.reloadSection(world, scope)
  })
}
