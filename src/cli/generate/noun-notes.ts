import type { Command } from 'commander'

const notes = new WeakMap<Command, string>()

/** Keeps what is to be said where somebody looks for something that a noun does not have. */
export const setNounNote = (command: Command, text: string) => void notes.set(command, text)

/** What is to be known of a noun, or of that of a command. */
export const nounNoteOf = (command: Command): string | undefined =>
  notes.get(command) ?? (command.parent ? nounNoteOf(command.parent) : undefined)
