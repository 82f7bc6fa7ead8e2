import type { Command } from 'commander'
import type { EXIT } from '../process/exit.ts'
import type { CommandGroup } from './groups.ts'

/** What callers of a command must know beyond its options. */
export interface CommandFacts {
  /** Its place in `sandbox help`; commands of a noun have that of the noun. */
  group?: CommandGroup
  /** What it does to the service or to files: `destroys` cannot be undone. */
  effect: 'reads' | 'writes' | 'destroys'
  /** What must answer: a sandbox, any service with the interface, or nothing. */
  needs: 'sandbox' | 'service' | 'nothing'
  /** Exit codes beside those that follow from `needs`. */
  exits?: readonly (keyof typeof EXIT)[]
}

const facts = new WeakMap<Command, CommandFacts>()

export function setFacts(command: Command, stated: CommandFacts) {
  facts.set(command, stated)
  if (stated.group) command.helpGroup(stated.group)
}

export const factsOf = (command: Command): CommandFacts | undefined => facts.get(command)
