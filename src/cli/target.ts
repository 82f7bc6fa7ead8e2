import { InvalidArgumentError } from 'commander'
import { Refusal } from '../client/call.ts'
import { Unreachable } from '../http/exchange.ts'
import { ask } from './ask.ts'
import { misconfigured } from './exit.ts'
import type { Session } from './session.ts'

/** `3000/hook` and `localhost:3000/hook` mean what they look like. */
export function targetOf(text: string): URL {
  const whole = /^https?:\/\//.test(text)
    ? text
    : /^\d+(\/|$)/.test(text)
      ? `http://localhost:${text}`
      : `http://${text}`
  if (/\s|:\/\//.test(text) && whole !== text) throw new InvalidArgumentError('It must be an http or https URL.')
  if (!URL.canParse(whole)) throw new InvalidArgumentError('It must be a URL such as http://localhost:3000/hook.')
  return new URL(whole)
}

/** What webhooks are signed with: what was given, else the emulator's own. */
export const secretFor = async (session: Session, given: string | undefined): Promise<string> =>
  given ?? (session.io.env.SANDBOX_WEBHOOK_SECRET || (await secretOf(session)))

async function secretOf(session: Session): Promise<string> {
  try {
    return (await ask(session, 'events.secret')).secret
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) throw noEmulator(session.endpoint.baseUrl)
    throw error
  }
}

/** The secret of somebody's handler, which needs no emulator when it is given. */
export async function handlerSecret(session: Session, given: string | undefined): Promise<string> {
  try {
    return await secretFor(session, given)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    throw misconfigured(
      'The secret of the handler is not known.',
      'Pass --secret or SANDBOX_WEBHOOK_SECRET; with a running sandbox its own secret is taken.',
    )
  }
}

export const noEmulator = (baseUrl: string) =>
  misconfigured(
    `${baseUrl} is no sandbox, and only a sandbox has an event log to follow.`,
    'A service posts to registered endpoints: sandbox webhooks create --url <https URL> --events "message.*"',
  )
