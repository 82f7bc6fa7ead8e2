import { randomBytes } from 'node:crypto'

/** A random signing secret. */
export const randomSecret = (): string => `whsec_${randomBytes(24).toString('hex')}`
