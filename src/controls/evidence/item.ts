export interface Item {
  kind: ItemKind
  /** On the world's clock, ISO 8601 UTC. */
  at: string
  /** On the machine's clock, ISO 8601 UTC. */
  machine_at: string
  /** Worked out from the requests before and after it. */
  is_estimated: boolean
  title: string
  /** The outcome, where there is one. */
  tone: 'good' | 'bad' | 'neutral'
  /** The message that it is about. */
  message_id: string | null
  /** Causes and consequences. */
  facts: readonly Fact[]
  bodies: readonly Fact[]
}

export interface Fact {
  label: string
  text: string
}

/** A request · a step of a message, with what decided it · a movement of money · an event · an attempt to deliver one. */
export const KINDS = ['request', 'step', 'money', 'event', 'webhook'] as const
export type ItemKind = (typeof KINDS)[number]

/** The data that is embedded in the page. */
export interface Evidence {
  title: string
  /** The test's error; null without one. */
  error: string | null
  /** File and line of the assertion; null if unknown. */
  location: string | null
  trouble: readonly string[]
  version: string
  namespace: string
  clock: { mode: string; now: string }
  saved_at: string
  /** The snapshot file; null if none was saved. */
  snapshot: string | null
  items: readonly Item[]
  /** The number of items without bodies, which keeps the page small. */
  without_bodies: number
}
