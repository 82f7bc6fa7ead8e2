import type { Command } from 'commander'
import type { ClientOptions, Sender } from '../client/call.ts'
import { withOwnKey } from '../client/own-key.ts'
import { tellingUnanswered } from '../client/unanswered.ts'
import { exchange } from '../http/exchange.ts'
import { emulatorProbe, toEmulatorOnly } from './emulator-only.ts'
import { addressOf } from './globals.ts'
import type { Io } from './io.ts'

/** The service that a command speaks to, and the way there. */
export interface Endpoint extends ClientOptions {
  apiKey: string
  timeoutMs: number
  send: Sender
  /** Asked once, and without the key. */
  isEmulator(): Promise<boolean>
}

export function endpointOf(command: Command, io: Pick<Io, 'env' | 'cwd' | 'signal'>): Endpoint {
  const address = addressOf(command, io)
  const wire: Sender = ({ request }) => exchange(request)
  const isEmulator = emulatorProbe(address, wire, io.signal)
  return {
    ...address,
    isEmulator,
    send: through(wire, tellingUnanswered, withOwnKey, toEmulatorOnly(address.baseUrl, isEmulator)),
  }
}

/** The last one is asked first. */
const through = (wire: Sender, ...layers: ((send: Sender) => Sender)[]): Sender =>
  layers.reduce((send, layer) => layer(send), wire)
