import { isThisMachine } from '../../http/request.ts'
import { EXIT, Fault, misconfigured } from '../process/exit.ts'
import type { Io } from '../process/io.ts'

interface LiveCheck {
  live: boolean
  /** The sentence about what is at stake: `a handler there takes what is posted for real events`. */
  what: string
  hint?: string
}

/** Refuses to address another machine without --live. */
export function guardLive(url: URL, { live, what, hint = HANDLER }: LiveCheck) {
  if (live || isThisMachine(url)) return
  throw new Fault(`${url.host} is not this machine, and ${what}.`, { code: 'live_guard', exit: EXIT.liveGuard, hint })
}

const HANDLER = 'Aim at a loopback address such as http://localhost:3000/hook, or pass --live if you mean it.'

/** Reads SANDBOX_ALLOW_LIVE. A misspelt value is refused, so that it counts neither as yes nor as no. */
export function allowsLive({ SANDBOX_ALLOW_LIVE: said = '' }: Io['env']): boolean {
  if (said === '1' || said === '0' || said === '') return said === '1'
  throw misconfigured(`SANDBOX_ALLOW_LIVE must be 1 or 0, not "${said}".`)
}
