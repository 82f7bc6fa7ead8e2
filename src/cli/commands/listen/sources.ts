import type { Envelope } from '../../../relay/envelope.ts'
import type { ForwardRoute } from '../../../relay/route.ts'
import { shownUrl } from '../../../words/redact.ts'

/** Wording of listen that depends on the source of the events. */
export interface SourceWording {
  /** The outcome of an event that a server did not accept. */
  missed: 'parked' | 'refused'
  /** The command that sends an event again; undefined if no command does. */
  replay?(envelope: Envelope, route: ForwardRoute): string
  /** Added to the JSON of each event. */
  label: Readonly<Record<string, string>>
  /** Names the secret that servers must verify with. */
  secret: string
}

export const SOURCES = {
  log: {
    missed: 'parked',
    replay: ({ id }, { target }) => `events replay ${id} --to ${shownUrl(target.url)}`,
    label: {},
    secret: 'the one of "sandbox listen --print-secret"',
  },
  receive: {
    missed: 'refused',
    label: {},
    secret: 'the one of the endpoint (--secret, or --write-env to save it)',
  },
  poll: { missed: 'parked', label: { source: 'poll' }, secret: 'the one passed here' },
} as const satisfies Record<string, SourceWording>
