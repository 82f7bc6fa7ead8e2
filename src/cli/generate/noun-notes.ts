import type { Command } from 'commander'

const notes = new WeakMap<Command, string>()

/** Keeps a sentence that is shown where a user misses something in a noun. */
export const setNounNote = (command: Command, text: string) => void notes.set(command, text)

/** The note of a noun, also for its commands. */
export const nounNoteOf = (command: Command): string | undefined =>
  notes.get(command) ?? (command.parent ? nounNoteOf(command.parent) : undefined)
