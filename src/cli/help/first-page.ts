/** Marks the places of the words by which the program was called. */
export const PROGRAM = '{program}'

/** The text of `--help`. It needs all commands, so the build inserts it (scripts/build/baked.ts). */
export const FIRST_PAGE = undefined as string | undefined
