import type { Command } from 'commander'
import { Refusal } from '../../../client/call.ts'
import { InvalidAnswer } from '../../../client/invalid-answer.ts'
import { Unreachable } from '../../../http/exchange.ts'
import { isThisMachine } from '../../../http/request.ts'
import { isSandboxKey, namespaceOfApiKey } from '../../../words/api-key.ts'
import { namespaceOfControlToken } from '../../../words/control-token.ts'
import { record } from '../../output/render.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { type Credentials, credentialsOf, isForeign } from '../../target/credentials.ts'
import { masked } from '../../target/keys.ts'
import { allowsLive } from '../../target/live-guard.ts'
import { proxyIn } from '../../target/network.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('status')
    .description('Show which service, key and token the commands use, and why')
    .addHelpText(
      'after',
      '\nExit codes: 0 the service answers, 3 it refuses the key or the control token, 6 nothing answers, 10 something else answers. To wait for a sandbox, use "sandbox wait".\n\nExample:\n  $ sandbox status',
    )
  setAction(command, run, { group: 'managing', effect: 'reads', needs: 'service', hasOwnRetries: true }, status)
}

type Answers = Credentials & { answers: 'sandbox' | 'service' | 'something else' | null }

async function status(session: Session): Promise<ExitCode> {
  const { io, output, endpoint } = session
  const { controlToken, controlTokenFrom } = endpoint
  const { baseUrl, baseUrlFrom, apiKey, apiKeyFrom, profile, overriddenProfile } = endpoint.choice
  const isLocal = isThisMachine(new URL(baseUrl))
  const proxy = isLocal ? undefined : proxyIn(io.env)
  const found = await answersOf(session)
  const shown = {
    base_url: baseUrl,
    base_url_from: baseUrlFrom,
    api_key: masked(apiKey),
    api_key_from: apiKeyFrom,
    // The namespace decides what the commands see, and is no secret.
    namespace: namespaceOfApiKey(apiKey) ?? null,
    control_token: controlToken === undefined ? null : masked(controlToken),
    control_token_from: controlTokenFrom ?? null,
    control_token_namespace: (controlToken && namespaceOfControlToken(controlToken)) ?? null,
    profile: profile?.name ?? null,
    profile_passed_over: overriddenProfile ?? null,
    local: isLocal,
    proxy: proxy ?? null,
    ...found,
    writes: allowsLive(io.env)
      ? 'allowed by SANDBOX_ALLOW_LIVE'
      : isLocal && isSandboxKey(apiKey) && found.answers === 'sandbox'
        ? 'allowed'
        : found.answers === null
          ? null
          : 'with --live only',
  }
  output.data(shown, (paint, printed) => record(printed, paint))
  return [found.key_accepted, found.token_accepted].includes(false)
    ? EXIT.configuration
    : EXIT_OF[found.answers ?? 'nothing']
}

const EXIT_OF = {
  sandbox: EXIT.ok,
  service: EXIT.ok,
  'something else': EXIT.invalidAnswer,
  nothing: EXIT.unreachable,
} as const

async function answersOf(session: Session): Promise<Answers> {
  try {
    const answers = (await session.endpoint.isEmulator()) ? 'sandbox' : 'service'
    return { answers, ...inWords(session, await credentialsOf(session)) }
  } catch (error) {
    if (error instanceof InvalidAnswer || (error instanceof Refusal && isForeign(error)))
      return { ...UNKNOWN, answers: 'something else', error: error.message }
    if (!(error instanceof Unreachable || error instanceof Refusal)) throw error
    const { message, hint } = error as Error & { hint?: string }
    return inWords(session, { ...UNKNOWN, answers: null, error: message, ...(hint ? { hint } : {}) })
  }
}

const UNKNOWN = { key_accepted: null, token_accepted: null }

/** Commands are written as they are typed here. */
const inWords = <T extends Credentials>({ output }: Session, { hint, note, ...rest }: T) => ({
  ...rest,
  ...(hint ? { hint: output.withProgramName(hint) } : {}),
  ...(note ? { note: output.withProgramName(note) } : {}),
})
