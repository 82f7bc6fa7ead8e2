/** The headings of nouns in help and documents, in their order. */
export const GROUPS = [
  'Emulator',
  'Simulated network',
  'Messages',
  'Contacts & consent',
  'Webhooks',
  'Account',
] as const

/** Describes a noun in help and documents. */
export interface About {
  /** The first part of its operations' ids: `messages` of `messages.send`. */
  readonly name: string
  /** A second name on the command line. */
  readonly alias?: string
  readonly group: (typeof GROUPS)[number]
  /** Imperative verb and object, up to 60 characters, without a full stop. */
  readonly summary: string
}
