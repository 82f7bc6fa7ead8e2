import type { World } from './world.ts'

/**
 * A place in a noun's work where nouns above take part. The noun below declares the hook, nouns above contribute
 * ({@link Noun.hooks}), and the noun below calls all contributions.
 */
export interface Hook<Part> {
  readonly name: string
  /** The contributions in the order of their nouns. */
  of(world: World): readonly Part[]
}

export function hook<Part>(name: string): Hook<Part> {
  const self: Hook<Part> = { name, of: (world) => (world.nouns.hooked.get(self) as readonly Part[] | undefined) ?? [] }
  return self
}

export interface Hooked {
  readonly hook: Hook<unknown>
  readonly part: unknown
}

export const hooked = <Part>(hook: Hook<Part>, part: Part): Hooked => ({ hook, part })
