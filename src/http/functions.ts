import type { RequestListener } from 'node:http'
import { runInThisContext } from 'node:vm'

const FUNCTIONS = Symbol.for('messaging-sandbox.functions')
const SERVED = Symbol.for('messaging-sandbox.functions served')

/** Node's own realm: a test runner may evaluate these modules once for each file, and the emulator only once. */
const nodesRealm: { [FUNCTIONS]?: Map<string, RequestListener>; [SERVED]?: number } = runInThisContext('globalThis')

const functions = (): Map<string, RequestListener> => {
  nodesRealm[FUNCTIONS] ??= new Map()
  return nodesRealm[FUNCTIONS]
}

/** Registers an origin at which requests of this process reach a function without a port. */
export function serveFunction(listener: RequestListener): { origin: string; close(): void } {
  // Names under .test never lead to a server (RFC 6761).
  const all = functions()
  const number = (nodesRealm[SERVED] ?? 0) + 1
  nodesRealm[SERVED] = number
  const origin = `https://function-${number}.test`
  all.set(origin, listener)
  return { origin, close: () => void functions().delete(origin) }
}

/** The function behind an origin; undefined for a server. Throws for a function that is not served any more. */
export function functionAt(origin: string): RequestListener | undefined {
  if (!/^https:\/\/function-\d+\.test$/.test(origin)) return undefined
  const found = functions().get(origin)
  if (found) return found
  throw Object.assign(new Error('its receiver was stopped'), { code: 'ECONNREFUSED', wasConnected: false })
}
