import type { Command } from 'commander'
import type { CommandFacts } from '../../help/facts.ts'
import { durationOption } from '../../target/globals.ts'
import { headerOption } from '../listen/routes.ts'

/** Adds the options of a command that posts events to a webhook handler. */
export const addHandlerOptions = (command: Command): Command =>
  command
    .addOption(headerOption())
    .addOption(durationOption('--timeout <duration>', 'time limit of an answer', '5s'))
    .option('--live', 'allow a handler on another machine')

export const HANDLER_FACTS = {
  group: 'testing',
  effect: 'writes',
  needs: 'nothing',
  exits: ['unreachable', 'expectation', 'liveGuard'],
} as const satisfies CommandFacts
