import { type Detail, Problem, problem } from '../../words/problem.ts'
import { textsIn } from '../../words/texts.ts'
import type { ClockMode } from '../../words/vocabulary.ts'
import type { World } from '../world.ts'
import { collect } from './entries.ts'

/** Reading stops beyond this size. */
export const MAX_WORLD_BYTES = 16 * 1024 * 1024

export interface WorldFile {
  seed: string
  clock?: { mode: ClockMode; factor?: number | undefined; now?: string | undefined } | undefined
  /** Parsed sections by key. */
  sections: Record<string, unknown>
  /** The prebuilt database on a frozen clock, for worlds of the package. */
  image?: Buffer | undefined
  /** The name of a package world or the path of the file; a data folder remembers it. */
  origin?: string | undefined
  /** A hash of the file's bytes, by which a start notices that it was edited. */
  digest?: string | undefined
  /** Adds line numbers to errors found while loading; undefined if the file was not text. */
  toProblem?: ((details: readonly Detail[]) => Problem) | undefined
}

/** Loads all sections in the order of the nouns, and reports all contradictions together. */
export function loadSections(world: World, file: WorldFile) {
  const { sections, toProblem } = file
  // The file may contain ids that this seed would generate; they are skipped.
  for (const { text } of textsIn(sections)) world.ids.claim(text)
  try {
    collect(
      world.nouns.sections
        .filter(({ key }) => sections[key] !== undefined)
        .map(
          ({ key, load }) =>
            () =>
              load(world, sections[key]),
        ),
    )
  } catch (error) {
    throw error instanceof Problem && toProblem ? toProblem(error.details) : error
  }
}

/** The error for a file that cannot be read, so it has no line number. */
export const unreadable = (file: string, message: string): Problem =>
  problem('validation_error', `${file}: ${message}.`, {
    details: [{ field: '', code: 'unreadable', message }],
    file,
  })
