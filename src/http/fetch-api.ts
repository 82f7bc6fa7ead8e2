import { runInThisContext } from 'node:vm'

const NAMES = ['fetch', 'ReadableStream', 'Request', 'Response'] as const
type FetchApi = Pick<typeof globalThis, (typeof NAMES)[number]>

/** The Fetch API of this realm, or Node's own where the realm lacks a part of it, as in Jest's environment jsdom. */
export const fetchApi = (): FetchApi =>
  NAMES.every((name) => name in globalThis) ? globalThis : runInThisContext('globalThis')
