import { type Detail, Problem, problem } from '../../words/problem.ts'
import type { ClockMode } from '../../words/vocabulary.ts'
import type { World } from '../world.ts'
import { collect } from './entries.ts'

/** No more of a file is read than shows that it is larger. */
export const MAX_WORLD_BYTES = 16 * 1024 * 1024

export interface WorldFile {
  seed: string
  clock?: { mode: ClockMode; factor?: number | undefined; now?: string | undefined } | undefined
  /** Parsed content of each noun's section, by its key. */
  sections: Record<string, unknown>
  /** The database that the file makes on a frozen clock, for worlds that come with the package. */
  image?: Buffer | undefined
  /** The name of a world of the package, or the path of the file: what a data folder remembers its worlds by. */
  origin?: string | undefined
  /** Tells of faults that show when it is loaded by their lines, where it was read from a text. */
  told?: ((details: readonly Detail[]) => Problem) | undefined
}

/** Makes rows of all sections, in the order of the nouns. What does not fit together is told all at once. */
export function loadSections(world: World, file: WorldFile) {
  const { sections, told } = file
  claimIds(world, sections)
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
    throw error instanceof Problem && told ? told(error.details) : error
  }
}

/** Ids of the file may have been made by a world of the same seed. What is made from now on is none of them. */
function claimIds(world: World, value: unknown) {
  if (typeof value === 'string') world.ids.claim(value)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) claimIds(world, item)
}

/** A file that is no world file for a reason that lies on no line of it. */
export const unreadable = (file: string, message: string): Problem =>
  problem('validation_error', `${file}: ${message}.`, {
    details: [{ field: '', code: 'unreadable', message }],
    file,
  })
