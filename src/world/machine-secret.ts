import { randomBytes } from 'node:crypto'

/** A random secret that does not depend on the seed and is stored in no world. */
export const machineSecret = (prefix: string): string => prefix + randomBytes(24).toString('base64url')
