import { poll } from '../../../client/poll.ts'
import { type Application, parsed, type Surroundings } from '../../../handlers/explore/application.ts'
import { exchange } from '../../../http/exchange.ts'
import { EXIT, Fault } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { targetOf } from '../../session/target.ts'
import type { ExploreFlags } from './flags.ts'
import { type Background, runLine, startLine } from './shell.ts'

/** Time for an application to start listening. */
const START_MS = 20_000
const LOOK_EVERY_MS = 20

/** A URL, or a port with a path, is called; everything else is run as a command. */
export const isUrl = (text: string) => /^(https?:\/\/|localhost[:/]|127\.\d|\[::1\]|\d+\/)\S*$/.test(text)

/** Builds the application from the flags, with a function that ends it. */
export function applicationOf({ io }: Session, flags: ExploreFlags): Application & { stop(): Promise<void> } {
  const { handler, truth, reset, restart, rotate, start } = flags
  const around: Record<string, string> = {}
  let service: Background | undefined
  const envWith = (more: Record<string, string> = {}) => ({ ...io.env, ...around, ...more })
  const runHere = (line: string, more?: Record<string, string>) =>
    runLine(line, { cwd: io.cwd, env: envWith(more), signal: io.signal })
  const lever = (text: string) => (isUrl(text) ? targetOf(text) : async () => void (await runHere(text)))

  const again = async () => {
    await service?.stop()
    service = startLine(start!, io.cwd, envWith())
    await listening(handler, service, start!, io.signal)
  }
  return {
    handler,
    truth: isUrl(truth) ? targetOf(truth) : async () => parsed(await runHere(truth), truth),
    reset: reset === undefined ? undefined : lever(reset),
    restart: restart === undefined ? (start === undefined ? undefined : again) : lever(restart),
    rotate:
      rotate === undefined
        ? undefined
        : rotating(rotate, (line, secret) => runHere(line, { SANDBOX_WEBHOOK_SECRET: secret })),
    async start({ baseUrl, apiKey, secret }: Surroundings) {
      Object.assign(around, { SANDBOX_BASE_URL: baseUrl, SANDBOX_API_KEY: apiKey, SANDBOX_WEBHOOK_SECRET: secret })
      if (start !== undefined) await again()
    },
    stop: async () => service?.stop(),
  }
}

const rotating = (
  text: string,
  run: (line: string, secret: string) => Promise<unknown>,
): NonNullable<Application['rotate']> =>
  isUrl(text) ? targetOf(text) : async (secret) => void (await run(text, secret))

/** Any answer shows that it listens. */
async function listening(url: URL, service: Background, line: string, signal: AbortSignal) {
  const isThere = await poll({ everyMs: LOOK_EVERY_MS, timeoutMs: START_MS, signal }, async () => {
    if (service.failureText() !== undefined) throw notStarted(`The command "${line}" has ended.`, service)
    const request = { method: 'GET', url, headers: {}, timeoutMs: START_MS, signal }
    return exchange(request).then(
      () => true,
      () => undefined,
    )
  })
  if (!isThere) throw notStarted(`The command "${line}" does not listen at ${url.href}.`, service)
}

const notStarted = (message: string, service: Background) =>
  new Fault(message, { code: 'not_started', exit: EXIT.unreachable, hint: service.failureText() || undefined })
