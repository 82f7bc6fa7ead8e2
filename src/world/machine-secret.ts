import { randomBytes } from 'node:crypto'

/** A secret that does not follow from the seed, so nobody can work it out. No world keeps it. */
export const machineSecret = (prefix: string): string => prefix + randomBytes(24).toString('base64url')
