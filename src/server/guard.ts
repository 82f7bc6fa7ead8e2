import { isIP } from 'node:net'
import { problem } from '../words/problem.ts'

/** Who may speak to the server: nobody whose request was made by a web page of another site. */
export interface Guard {
  checkHost(host: string | undefined): void
  checkOrigin(origin: string | undefined, host: string | undefined): void
}

const LOOPBACK_NAMES = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** With `openTo` the server listens on that address too, and answers to any name. */
export function createGuard({ openTo }: { openTo?: string | undefined } = {}): Guard {
  return {
    // A page that had its own name point at 127.0.0.1 (DNS rebinding) sends that name here.
    checkHost(host) {
      if (openTo !== undefined) return
      const name = (host ?? '').replace(/:\d+$/, '')
      if (!LOOPBACK_NAMES.test(name)) throw problem('host_not_allowed')
    },
    // Programs send no Origin; a browser always does where it matters.
    checkOrigin(origin, host) {
      if (origin === undefined) return
      if (!URL.canParse(origin) || new URL(origin).host !== host) throw problem('origin_not_allowed')
    },
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
