import type { Command } from 'commander'
import type { ClientOptions, Sender } from '../client/call.ts'
import { withOwnKey } from '../client/own-key.ts'
import { withRetries } from '../client/retry.ts'
import { tellingUnanswered } from '../client/unanswered.ts'
import { exchange, Unreachable } from '../http/exchange.ts'
import { emulatorProbe, toEmulatorOnly } from './emulator-only.ts'
import { addressOf } from './globals.ts'
import type { Io } from './io.ts'
import { hintFor } from './network.ts'
import type { Output } from './output.ts'
import type { Session } from './session.ts'

/** The service that a command speaks to, and the way there. */
export interface Endpoint extends ClientOptions {
  apiKey: string
  timeoutMs: number
  send: Sender
  /** Asked once, and without the key. */
  isEmulator(): Promise<boolean>
}

export function endpointOf(
  command: Command,
  { io, output }: Pick<Session, 'io' | 'output'>,
  isPatient: boolean,
): Endpoint {
  const address = addressOf(command, io)
  const wire = wireTo(address, output)
  const once = tellingUnanswered(wire)
  const send = address.retries && !isPatient ? retries(io, output)(once) : once
  const isEmulator = emulatorProbe(address, send, io.signal)
  return {
    ...address,
    isEmulator,
    send: toEmulatorOnly(address.baseUrl, isEmulator)(withOwnKey(send)),
  }
}

const retries = (io: Io, output: Output) =>
  withRetries({
    signal: io.signal,
    onRetry({ because, waitMs, next, of }) {
      const line = { type: 'retry', because, wait_ms: Math.round(waitMs), next, of }
      const said = `${because}; try ${next} of ${of} in ${(waitMs / 1_000).toFixed(1)} s …`
      output.warn(line, (paint) => paint.dim(`  ${said}`))
    },
  })

/** The connection itself. What is unusual about it is said with the first call. */
function wireTo({ baseUrl, network }: ReturnType<typeof addressOf>, output: Output): Sender {
  let isSaid = false
  return async ({ request }) => {
    if (network.insecure && !isSaid) warnOfInsecure(baseUrl, output)
    isSaid = true
    try {
      return await exchange(request)
    } catch (error) {
      if (error instanceof Unreachable) error.hint = hintFor(error, request.url, network)
      throw error
    }
  }
}

function warnOfInsecure(baseUrl: string, output: Output) {
  const message = `--insecure: whoever answers as ${baseUrl} is believed, and is shown the key.`
  output.warn({ warning: 'insecure', message }, (paint) => paint.yellow(`! ${message}`))
}
