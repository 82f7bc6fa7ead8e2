import { randomBytes } from 'node:crypto'

/** A key for signatures that nobody else has. */
export const randomSecret = (): string => `whsec_${randomBytes(24).toString('hex')}`
