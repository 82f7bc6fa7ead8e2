import type { Scope } from '../words/vocabulary.ts'
import type { World } from './world.ts'

/** Resets a world, or the part of it that a scope names. */
export async function resetScope(world: World, scope: Scope): Promise<void> {
  if (scope === 'all') return world.host.reset(world)
  world.transaction(() => {
    for (const resets of world.nouns.resets) resets[scope]?.(world)
    world.host.reloadSection(world, scope)
  })
}
