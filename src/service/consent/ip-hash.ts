import { createHmac } from 'node:crypto'

/** What is kept of the address a consent was written from (interface §2.2). */
export const ipHash = (salt: string, ip: string): string => createHmac('sha256', salt).update(ip).digest('hex')
