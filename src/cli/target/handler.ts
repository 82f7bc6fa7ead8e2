import { InvalidArgumentError } from 'commander'
import { Unreachable } from '../../http/exchange.ts'
import { EXIT, Fault, Interrupted, misconfigured } from '../process/exit.ts'
import { type CallingSession, callOperation } from './call-operation.ts'
import type { Endpoint } from './endpoint.ts'
import { hintFor } from './network.ts'

/** Reads the URL of a webhook handler; `3000/hook` and `localhost:3000/hook` are http URLs. */
export function handlerUrlOf(text: string): URL {
  const withScheme = /^https?:\/\//.test(text)
    ? text
    : /^\d+(\/|$)/.test(text)
      ? `http://localhost:${text}`
      : `http://${text}`
  if (/\s|:\/\//.test(text) && withScheme !== text) throw new InvalidArgumentError('It must be an http or https URL.')
  const url = URL.parse(withScheme)
  // URLs allow "=" and "*" in a host, which come from misspelt event names before the target: "mesages=3000".
  if (!url || !/^[\w.:[\]-]+$/.test(url.hostname))
    throw new InvalidArgumentError('It must be a URL such as http://localhost:3000/hook.')
  return url
}

/** The signing secret: from --secret, from the environment, or the emulator's own. */
export const secretFor = async (session: CallingSession, chosen: string | undefined): Promise<string> =>
  chosen ?? (session.io.env.SANDBOX_WEBHOOK_SECRET || (await callOperation(session, 'events.secret')).secret)

/** The signing secret of a handler; no emulator is needed if --secret is set. */
export async function handlerSecret(
  session: CallingSession & { endpoint: Endpoint },
  chosen: string | undefined,
): Promise<string> {
  try {
    const isGiven = chosen !== undefined || Boolean(session.io.env.SANDBOX_WEBHOOK_SECRET)
    if (!isGiven && !(await session.endpoint.isEmulator())) throw secretUnknown()
    return await secretFor(session, chosen)
  } catch (error) {
    throw error instanceof Unreachable ? secretUnknown() : error
  }
}

const secretUnknown = () =>
  misconfigured(
    'The secret of the handler is missing.',
    'Pass --secret or SANDBOX_WEBHOOK_SECRET, or start a sandbox, whose secret is the default.',
  )

/** Translates a lost connection to the user's handler into a failure. */
export function connectionFailure(
  error: unknown,
  { io, endpoint }: CallingSession & { endpoint: Endpoint },
  url: URL,
): unknown {
  if (io.signal.aborted) return new Interrupted()
  if (!(error instanceof Unreachable)) return error
  return new Fault(`${error.message}.`, {
    code: 'unreachable',
    exit: EXIT.unreachable,
    hint: hintFor(error, url, endpoint.network ?? {}) ?? 'Start your handler first, and check the port.',
    extra: { cause: error.code },
  })
}
