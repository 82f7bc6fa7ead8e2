/** The headings under which help and documents list the nouns, in their order. */
export const GROUPS = [
  'Emulator',
  'Simulated network',
  'Messages',
  'Contacts & consent',
  'Webhooks',
  'Account',
] as const

/** What a contract says of its noun. */
export interface About {
  /** As in the ids of its operations: `messages` of `messages.send`. */
  readonly name: string
  /** Another word that the command line takes for it. */
  readonly alias?: string
  readonly group: (typeof GROUPS)[number]
  /** One sentence for people, without a full stop. */
  readonly summary: string
}
