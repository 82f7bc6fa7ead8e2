import { isThisMachine } from '../http/request.ts'
import { EXIT, Fault } from './exit.ts'

/** Refuses to aim at another machine unless that was asked for. */
export function guardLive(url: URL, { live, what }: { live: boolean; what: string }) {
  if (live || isThisMachine(url)) return
  throw new Fault(`${url.host} is not this machine, and ${what}.`, {
    code: 'live_guard',
    exit: EXIT.liveGuard,
    hint: 'Aim at a loopback address such as http://localhost:3000/hook, or pass --live if you mean it.',
  })
}
