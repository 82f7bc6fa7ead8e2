import { isThisMachine } from '../../http/request.ts'
import { isSandboxKey } from '../../words/api-key.ts'
import { EXIT, Fault, misconfigured } from '../process/exit.ts'
import type { Io } from '../process/io.ts'

/** Refuses to address a handler on another machine without --live. */
export function guardLive(url: URL, what: 'a handler' | 'an application', isLive = false) {
  if (isLive || isThisMachine(url)) return
  throw new Fault(`${url.host} is not this machine, and ${what} there would take the test events for real ones.`, {
    code: 'live_guard',
    exit: EXIT.liveGuard,
    hint: 'Use a loopback address such as http://localhost:3000/hook, or pass --live if you mean it.',
  })
}

interface Destination {
  baseUrl: string
  baseUrlFrom: string
  apiKey: string
}

/**
 * Refuses changes at a service without --live. A service is whatever is on another machine, takes a key that is not a
 * sandbox's, or answers without the control plane of a sandbox: a tunnel to it begins on this machine, too.
 */
export async function guardService({ baseUrl, baseUrlFrom, apiKey }: Destination, isEmulator: () => Promise<boolean>) {
  const url = new URL(baseUrl)
  const why = !isThisMachine(url)
    ? 'is not this machine'
    : !isSandboxKey(apiKey)
      ? 'is called with a key that does not begin with sk_sandbox_'
      : (await isEmulator())
        ? undefined
        : 'does not answer as a sandbox'
  if (why === undefined) return
  throw new Fault(`${url.host} ${why}, and this command would change data there (${baseUrlFrom}).`, {
    code: 'live_guard',
    exit: EXIT.liveGuard,
    hint: 'Nothing was sent. To allow it: --live, or SANDBOX_ALLOW_LIVE=1. To see the service: sandbox status',
  })
}

/** Reads SANDBOX_ALLOW_LIVE. A misspelt value is refused, so that it counts neither as yes nor as no. */
export function allowsLive({ SANDBOX_ALLOW_LIVE: setting = '' }: Io['env']): boolean {
  if (setting === '1' || setting === '0' || setting === '') return setting === '1'
  throw misconfigured(`SANDBOX_ALLOW_LIVE must be 1 or 0, not "${setting}".`)
}
