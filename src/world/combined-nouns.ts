import { lazilyFor } from '../words/lazy.ts'
import type { Hook, Hooked } from './hook.ts'
import type { LocalWork, NetworkWork, Noun, Resets, Route, Section } from './noun.ts'
import type { World } from './world.ts'

/** The contributions of all nouns. */
export interface CombinedNouns {
  readonly tables: string
  readonly routes: readonly Route[]
  /** In loading order. */
  readonly sections: readonly Section[]
  readonly localWork: Readonly<Record<string, LocalWork>>
  readonly networkWork: Readonly<Record<string, NetworkWork>>
  readonly passive: ReadonlySet<string>
  readonly resets: readonly Resets[]
  readonly hooked: ReadonlyMap<Hook<unknown>, readonly unknown[]>
  readonly onCopied: readonly ((world: World) => void)[]
  readonly carryOver: readonly ((before: World, world: World) => void)[]
  readonly onReplaced: readonly ((world: World) => void)[]
}

export const sectionsOf = (nouns: readonly Noun[]): Section[] => nouns.flatMap((noun) => noun.sections ?? [])

/** Returns the same object for the same nouns, so that a template can be reused. */
export const combineNouns = lazilyFor(
  (nouns: readonly Noun[]): CombinedNouns => ({
    tables: nouns.map((noun) => noun.tables ?? '').join('\n'),
    routes: nouns.flatMap(({ routes }) => routes ?? []),
    sections: sectionsOf(nouns),
    localWork: Object.assign({}, ...nouns.map((noun) => noun.localWork ?? {})),
    networkWork: Object.assign({}, ...nouns.map((noun) => noun.networkWork ?? {})),
    passive: new Set(nouns.flatMap((noun) => noun.passive ?? [])),
    resets: nouns.flatMap(({ resets }) => resets ?? []),
    hooked: byHook(nouns.flatMap(({ hooks }) => hooks ?? [])),
    onCopied: nouns.flatMap(({ onCopied }) => onCopied ?? []),
    carryOver: nouns.flatMap(({ carryOver }) => carryOver ?? []),
    onReplaced: nouns.flatMap(({ onReplaced }) => onReplaced ?? []),
  }),
)

function byHook(all: readonly Hooked[]): ReadonlyMap<Hook<unknown>, readonly unknown[]> {
  const groups = Map.groupBy(all, ({ hook }) => hook)
  return new Map([...groups].map(([hook, contributions]) => [hook, contributions.map(({ part }) => part)]))
}
