import type { LocalWork, NetworkWork, Noun, Resets, Route, Section } from './noun.ts'
import type { World } from './world.ts'

/** What all concepts together bring to every world. */
export interface CombinedNouns {
  readonly tables: string
  /** What answers each operation. Where several paths fit a request, the first does. */
  readonly routes: readonly Route[]
  /** Of its world file, in the order they are loaded. */
  readonly sections: readonly Section[]
  readonly localWork: Readonly<Record<string, LocalWork>>
  readonly networkWork: Readonly<Record<string, NetworkWork>>
  /** Kinds of work that an auto clock does not jump to. */
  readonly passive: ReadonlySet<string>
  /** What each concept puts back when a part of the world is reset. */
  readonly resets: readonly Resets[]
  /** What each concept does when its world has become another one: reset, restored or forked. */
  readonly onReplaced: readonly ((world: World) => void)[]
}

export const sectionsOf = (nouns: readonly Noun[]): Section[] => nouns.flatMap((noun) => noun.sections ?? [])

/** The same for the same concepts, so that worlds can be told to be made alike. */
export function combineNouns(nouns: readonly Noun[]): CombinedNouns {
  const combined = known.get(nouns) ?? combine(nouns)
  known.set(nouns, combined)
  return combined
}

const known = new WeakMap<readonly Noun[], CombinedNouns>()

const combine = (nouns: readonly Noun[]): CombinedNouns => ({
  tables: nouns.map((noun) => noun.tables ?? '').join('\n'),
  routes: nouns.flatMap(({ routes }) => routes ?? []),
  sections: sectionsOf(nouns),
  localWork: Object.assign({}, ...nouns.map((noun) => noun.localWork ?? {})),
  networkWork: Object.assign({}, ...nouns.map((noun) => noun.networkWork ?? {})),
  passive: new Set(nouns.flatMap((noun) => noun.passive ?? [])),
  resets: nouns.flatMap(({ resets }) => resets ?? []),
  onReplaced: nouns.flatMap(({ onReplaced }) => onReplaced ?? []),
})
