import type { Command } from 'commander'
import type { OperationEffect } from '../../words/operation.ts'
import type { EXIT } from '../process/exit.ts'
import type { CommandGroup } from './groups.ts'

/** Facts about a command beyond its options. */
export interface CommandFacts {
  /** Its group in `sandbox help`; commands of a noun have the group of the noun. */
  group?: CommandGroup
  /** Its effect on the service or on files. */
  effect: OperationEffect
  /** What it needs: a sandbox, any service with the interface, or nothing. */
  needs: 'sandbox' | 'service' | 'nothing'
  /** Exit codes in addition to those that follow from `needs`. */
  exits?: readonly (keyof typeof EXIT)[]
}

const facts = new WeakMap<Command, CommandFacts>()

export function setFacts(command: Command, stated: CommandFacts) {
  facts.set(command, stated)
  if (stated.group) command.helpGroup(stated.group)
}

export const factsOf = (command: Command): CommandFacts | undefined => facts.get(command)
