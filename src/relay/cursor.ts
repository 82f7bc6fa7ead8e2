import type { ClientOptions } from '../client/client.ts'
import { createClient } from '../client/client.ts'

/** Where a reader of the log stands: everything up to here is dealt with. */
export interface Cursor {
  /** Undefined when it has read nothing yet. */
  load(): Promise<number | undefined>
  save(seq: number): Promise<void>
}

/** Lasts as long as the reader. */
export function fleetingCursor(seq?: number): Cursor {
  return {
    load: async () => seq,
    save: async (now) => {
      seq = now
    },
  }
}

/** Kept under its name in the world that it reads, so that both are reset together. */
export function namedCursor(endpoint: ClientOptions, name: string): Cursor {
  const { events } = createClient(endpoint)
  return {
    load: async () => (await events.cursor(name)).seq ?? undefined,
    save: async (seq) => void (await events.moveCursor(name, { seq })),
  }
}
