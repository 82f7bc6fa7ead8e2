import { randomBytes } from 'node:crypto'

/** Whoever knows the seed could work out what follows from it; this nobody can. No world keeps it. */
export const machineSecret = (prefix: string): string => prefix + randomBytes(24).toString('base64url')
