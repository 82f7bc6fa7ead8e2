import { type Called, type ClientOptions, call, resultOf, type Sender } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { misconfigured } from '../process/exit.ts'

/** Tells whether a sandbox answers at an address. A stranger is shown no key. */
export function emulatorProbe({ baseUrl, timeoutMs }: ClientOptions, send: Sender, signal: AbortSignal) {
  let asked: Promise<boolean> | undefined
  const ask = async () => {
    const answer = await call({ baseUrl, timeoutMs, send }, operations.world.health, {}, undefined, { signal })
    const said = jsonOf(answer.body)
    // Its first namespace, which is asked without a key; the others go on.
    if (said?.error === 'world_damaged') return true
    // A sandbox that is stopping, or that is called by a name it does not know, says so itself.
    if (answer.status >= 500 || said?.error === 'host_not_allowed') resultOf(answer)
    return answer.status === 200 && said?.status === 'ok'
  }
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

function jsonOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Only the emulator has it. */
export const isControlCall = ({ path }: Pick<Called, 'path'>) => /^\/_sandbox(\/|$)/.test(path)

/** Lets calls of the control plane reach a sandbox only. */
export const restrictControlCalls =
  (baseUrl: string, isEmulator: () => Promise<boolean>) =>
  (send: Sender): Sender =>
  async (one) => {
    if (isControlCall(one.operation) && !(await isEmulator())) throw noEmulator(baseUrl, whatHas(one.operation))
    return send(one)
  }

const EVENT_LOG = 'has an event log to follow'

const whatHas = ({ id, method, path }: Called) =>
  id.startsWith('events.') ? EVENT_LOG : `has ${method.toUpperCase()} ${path}`

const INSTEAD =
  'A service posts to registered endpoints. Through a tunnel: sandbox listen --public-url <URL>; without one: sandbox listen --poll; to a server of yours: sandbox webhooks create --url <https URL> --events "message.*"'
const START_ONE = 'Nothing was sent. Start a sandbox with "sandbox start", or name it with --base-url.'

export const noEmulator = (baseUrl: string, has = EVENT_LOG) =>
  misconfigured(`${baseUrl} is no sandbox, and only a sandbox ${has}.`, has === EVENT_LOG ? INSTEAD : START_ONE)
