import type { InsideWork, Noun, OutsideWork, Resets, Section } from './noun.ts'
import type { World } from './world.ts'

/** What all concepts together bring to every world. */
export interface Works {
  readonly tables: string
  /** Of its world file, in the order they are loaded. */
  readonly sections: readonly Section[]
  readonly inside: Readonly<Record<string, InsideWork>>
  readonly outside: Readonly<Record<string, OutsideWork>>
  /** Kinds of work that an auto clock does not jump to. */
  readonly patient: ReadonlySet<string>
  /** What each concept puts back when a part of the world is reset. */
  readonly resets: readonly Resets[]
  /** What each concept does when its world has become another one: reset, restored or forked. */
  readonly begun: readonly ((world: World) => void)[]
}

export const sectionsOf = (nouns: readonly Noun[]): Section[] => nouns.flatMap((noun) => noun.sections ?? [])

/** The same for the same concepts, so that worlds can be told to be made alike. */
export function worksOf(nouns: readonly Noun[]): Works {
  const works = known.get(nouns) ?? together(nouns)
  known.set(nouns, works)
  return works
}

const known = new WeakMap<readonly Noun[], Works>()

const together = (nouns: readonly Noun[]): Works => ({
  tables: nouns.map((noun) => noun.tables ?? '').join('\n'),
  sections: sectionsOf(nouns),
  inside: Object.assign({}, ...nouns.map((noun) => noun.inside ?? {})),
  outside: Object.assign({}, ...nouns.map((noun) => noun.outside ?? {})),
  patient: new Set(nouns.flatMap((noun) => noun.patient ?? [])),
  resets: nouns.flatMap(({ resets }) => resets ?? []),
  begun: nouns.flatMap(({ begun }) => begun ?? []),
})
