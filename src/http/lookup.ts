import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isThisMachine } from './request.ts'

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Node tries all addresses in order; a caller that asks for one gets the first. */
const lookupLoopback: LookupFunction = (_name, { all }, found) => report(found, LOOPBACKS, all)

/** A loopback address without a listener refuses at once; the 250 ms of Node are too short on a busy machine. */
const LOOPBACK_ATTEMPT_MS = 10_000

/**
 * Skips the system's lookup of `localhost` and the names below it, which are this machine in any case (RFC 6761): a bare
 * container cannot resolve them, and a lookup costs 10 ms.
 */
export const lookupFor = (url: URL): { lookup: LookupFunction; autoSelectFamilyAttemptTimeout?: number } =>
  isThisMachine(url)
    ? { lookup: lookupLoopback, autoSelectFamilyAttemptTimeout: LOOPBACK_ATTEMPT_MS }
    : { lookup: lookupOnce }

export const lookupOnce: LookupFunction = (hostname, options, found) =>
  lookupAll(hostname, options, (error, addresses) => (error ? found(error, []) : report(found, addresses, options.all)))

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

const inProgress = new Map<string, Found[]>()

/**
 * Looks all addresses of a name up, once for all that ask at the same time. The system works on four lookups of a process at
 * once, and a silent name server takes ten seconds for each, so repeated ones would keep other names waiting for minutes.
 */
export function lookupAll(hostname: string, { all: _, ...options }: LookupOptions, found: Found) {
  const key = JSON.stringify([hostname, options])
  const asking = inProgress.get(key)
  if (asking) return void asking.push(found)
  inProgress.set(key, [found])
  process.getBuiltinModule('node:dns').lookup(hostname, { ...options, all: true }, (error, addresses = []) => {
    const waiting = inProgress.get(key)!
    inProgress.delete(key)
    for (const one of waiting) one(error, addresses)
  })
}

/** Answers a caller that asks for all addresses, or for one. */
export function report(found: Parameters<LookupFunction>[2], addresses: LookupAddress[], all: boolean | undefined) {
  if (all) found(null, addresses)
  else found(null, addresses[0]!.address, addresses[0]!.family)
}
