import type { Client } from '../client/client.ts'
import { machineNow } from '../world/machine-time.ts'
import { isoTime } from '../world/time/clock.ts'

/** Links a client to the start of its test, in any build and realm. */
const STARTED_AT = Symbol.for('messaging-sandbox.started-at')

/** This instant on the machine's clock. */
const nowOnMachine = (): string => isoTime(machineNow())

/** Notes that a test with this client starts now. */
export const startsNow = <C extends Client>(client: C): C =>
  Object.defineProperty(client, STARTED_AT, { value: nowOnMachine(), configurable: true })

/** The start of the test of this client; undefined if it was not recorded. */
export const startOf = (client: Client): string | undefined =>
  (client as Client & { readonly [STARTED_AT]?: string })[STARTED_AT]
