/** A longer seed could not be written to a world file. */
export const MAX_SEED_LENGTH = 100
