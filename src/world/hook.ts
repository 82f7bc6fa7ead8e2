import type { World } from './world.ts'

/**
 * Lets nouns of higher layers take part in the work of a lower noun. The lower noun declares the hook, higher nouns
 * contribute ({@link Noun.hooks}), and the lower noun calls all contributions.
 */
export interface Hook<Part> {
  /** The contributions in the order of their nouns. */
  of(world: World): readonly Part[]
}

export function hook<Part>(): Hook<Part> {
  const self: Hook<Part> = { of: (world) => (world.nouns.hooked.get(self) as readonly Part[] | undefined) ?? [] }
  return self
}

export interface Hooked {
  readonly hook: Hook<unknown>
  readonly part: unknown
}

export const hooked = <Part>(hook: Hook<Part>, part: Part): Hooked => ({ hook, part })
