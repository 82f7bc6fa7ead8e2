import type { World } from './world.ts'

/**
 * A place in the work of a noun where nouns above it take part. The one below names what it asks for, those above bring
 * it ({@link Noun.hooks}), and the one below asks for all that was brought.
 */
export interface Hook<Part> {
  readonly name: string
  /** What the nouns above bring, in their order. */
  of(world: World): readonly Part[]
}

export function hook<Part>(name: string): Hook<Part> {
  const self: Hook<Part> = { name, of: (world) => (world.nouns.hooked.get(self) as readonly Part[] | undefined) ?? [] }
  return self
}

/** What a noun brings to a hook. */
export interface Hooked {
  readonly hook: Hook<unknown>
  readonly part: unknown
}

export const hooked = <Part>(hook: Hook<Part>, part: Part): Hooked => ({ hook, part })
