import type { Envelope } from '../../../relay/envelope.ts'
import type { Route } from '../../../relay/route.ts'

/** What differs in the words of listen by where the events come from. */
export interface Source {
  /** What has become of an event that a server did not take. */
  missed: 'parked' | 'refused'
  /** The command that sends it again; undefined where there is none. */
  replay?(envelope: Envelope, route: Route): string
  /** Beside each event. */
  label: Readonly<Record<string, string>>
  /** Which secret a server has to verify with. */
  secret: string
}

export const SOURCES = {
  /** The event log of a sandbox. */
  log: {
    missed: 'parked',
    replay: ({ id }, { target }) => `events replay ${id} --to ${target.url.href}`,
    label: {},
    secret: 'that of "sandbox listen --print-secret"',
  },
  /** The webhooks of a service, at the end of a tunnel. */
  receive: {
    missed: 'refused',
    label: {},
    secret: 'that of the endpoint (--secret, or --write-env to have it written)',
  },
  /** The message log of a service. */
  poll: { missed: 'parked', label: { source: 'poll' }, secret: 'the one that was given here' },
} as const satisfies Record<string, Source>
