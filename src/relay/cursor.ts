import { type ClientOptions, call, resultOf } from '../client/call.ts'
import { operations } from '../client/operations.ts'

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
  return {
    async load() {
      const cursor = resultOf(await call(endpoint, operations.events.cursor, { name }, undefined)) as {
        seq: number | null
      }
      return cursor.seq ?? undefined
    },
    async save(seq) {
      resultOf(await call(endpoint, operations.events.moveCursor, { name }, { seq }))
    },
  }
}
