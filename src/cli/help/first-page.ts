/** Marks the places of the words by which the program was called. */
export const PROGRAM = '{program}'

/** The text of `--help`, for which all commands are needed. Filled in by the build (scripts/build/baked.ts). */
export const FIRST_PAGE = undefined as string | undefined
