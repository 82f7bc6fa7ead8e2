import type { Command } from 'commander'
import { Refusal } from '../../../client/call.ts'
import { InvalidAnswer } from '../../../client/invalid-answer.ts'
import { Unreachable } from '../../../http/exchange.ts'
import { isThisMachine } from '../../../http/request.ts'
import { namespaceOfApiKey } from '../../../words/api-key.ts'
import { record } from '../../output/render.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { isSandboxKey } from '../../target/choice.ts'
import { masked } from '../../target/keys.ts'
import { allowsLive } from '../../target/live-guard.ts'
import { proxyIn } from '../../target/network.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('status')
    .description('Show which service and key the commands use, and why')
    .addHelpText(
      'after',
      '\nExit codes: 0 the service answers, 3 it refuses the key, 6 nothing answers, 10 something else answers. To wait for a sandbox, use "sandbox wait".\n\nExample:\n  $ sandbox status',
    )
  setAction(command, run, { group: 'managing', effect: 'reads', needs: 'service', hasOwnRetries: true }, status)
}

type Answers = {
  answers: 'sandbox' | 'service' | 'something else' | null
  key_accepted: boolean | null
  error?: string
  /** Where another sandbox runs. */
  hint?: string
}

async function status(session: Session): Promise<ExitCode> {
  const { io, output, endpoint } = session
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
  return found.key_accepted === false ? EXIT.configuration : EXIT_OF[found.answers ?? 'nothing']
}

const EXIT_OF = {
  sandbox: EXIT.ok,
  service: EXIT.ok,
  'something else': EXIT.invalidAnswer,
  nothing: EXIT.unreachable,
} as const

/** Makes the smallest possible read, to check that something answers and accepts the key. */
async function answersOf(session: Session): Promise<Answers> {
  try {
    const answers = (await session.endpoint.isEmulator()) ? 'sandbox' : 'service'
    return { answers, ...(await keyAccepted(session)) }
  } catch (error) {
    if (error instanceof InvalidAnswer) return { answers: 'something else', key_accepted: null, error: error.message }
    if (!(error instanceof Unreachable || error instanceof Refusal)) throw error
    const hint = error instanceof Unreachable ? error.hint : undefined
    return {
      answers: null,
      key_accepted: null,
      error: error.message,
      ...(hint ? { hint: session.output.withProgramName(hint) } : {}),
    }
  }
}

async function keyAccepted(session: Session): Promise<Pick<Answers, 'key_accepted' | 'error'>> {
  try {
    await callOperation(session, 'messages.list', { payload: { limit: 1 } })
    return { key_accepted: true }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { key_accepted: error.status === 401 || error.status === 403 ? false : null, error: error.message }
  }
}
