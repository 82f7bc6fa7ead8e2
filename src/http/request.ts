import { request } from 'node:http'
import type { LookupFunction } from 'node:net'

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Node tries one after the other; a caller who wants one only gets the first. */
const onThisMachine: LookupFunction = (_name, { all }, found) =>
  all ? found(null, LOOPBACKS) : found(null, LOOPBACKS[0]!.address, LOOPBACKS[0]!.family)

/** TLS is loaded by those who use it: that takes as long as the whole rest of a command. */
export const requestFor = ({ protocol }: URL): typeof request =>
  protocol === 'https:' ? process.getBuiltinModule('node:https').request : request

/**
 * Options of a request that spare `localhost` the question to the system: it is this machine whatever that says (RFC 6761),
 * a bare container says nothing, and asking costs 10 ms.
 */
export const lookupFor = ({ hostname }: URL): { lookup?: LookupFunction } =>
  hostname === 'localhost' ? { lookup: onThisMachine } : {}
