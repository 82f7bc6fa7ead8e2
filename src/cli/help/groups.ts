import type { About } from '../../words/about.ts'

/** The groups of commands in `sandbox help`, with their purposes. */
export const COMMAND_GROUPS = {
  messaging: 'Send messages; manage contacts, consent, agents and money',
  watching: 'See messages, events, requests and webhooks',
  simulating: 'Decide what carriers, phones, mailboxes and time do',
  testing: 'Check your application and compare services',
  managing: 'Run sandboxes; choose worlds, services and profiles',
} as const

export type CommandGroup = keyof typeof COMMAND_GROUPS

/** The commands that people need first, in the order of the first page of help. */
export const FIRST_COMMANDS: readonly string[] = [
  'start',
  'stop',
  'status',
  'open',
  'send',
  'messages',
  'explain',
  'listen',
  'trigger',
  'clock',
  'expect',
  'run',
]

/** The group of a noun by its heading in the documents; a file of nouns/ may name another. */
export const GROUP_OF_HEADING: Readonly<Record<About['group'], CommandGroup>> = {
  Emulator: 'managing',
  'Simulated network': 'simulating',
  Messages: 'messaging',
  'Contacts & consent': 'messaging',
  Webhooks: 'watching',
  Account: 'messaging',
}
