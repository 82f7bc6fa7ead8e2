import { type Command, Option } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { parserOf } from '../../process/parser-of.ts'
import { subjectOption } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { intervalOption } from '../../session/watching.ts'
import { durationOption } from '../../target/globals.ts'
import { whereOption } from '../listen/filters.ts'
import { expectEvent } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('expect')
    .description('Wait for an event and fail if it does not arrive')
    .argument('<event>', 'event name, or a family such as "message.*"')
    .option('--message <id>', 'only events of this message; "last" is the message that was sent last')
    .addOption(new Option('--subject <id>', subjectOption.describe).conflicts('message'))
    .addOption(whereOption())
    .option('--count <number>', 'minimum number of events', atLeastOne, 1)
    .option('--not', 'expect no such event')
    .addOption(durationOption('--within <duration>', 'time to wait; with an auto clock, machine time', '30s'))
    .option('--after <seq>', 'only events after this position in the log', countOf)
    .addOption(intervalOption())
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    { group: 'testing', effect: 'reads', needs: 'service', exits: ['expectation', 'timedOut'] },
    expectEvent,
  )
}

const NOTES = `
Events that are already in the log count. On a frozen clock the command does not wait, because nothing can happen: run
"sandbox clock advance 1m" before it, or let the clock run with "sandbox clock mode real". At a service without an event log,
the events of one --message are read from its timeline. Exit codes: 7 when the event cannot arrive (the clock is frozen, or
the message has ended), or when it arrived with --not; 8 when the time is up.

Events: message.queued, .delivered, .read, .failed, .expired and .revoked; email.opened, .clicked and .bounced; conversation.started;
consent.updated; campaign.completed; docs/events.md lists all.

GET /_sandbox/events

Examples:
  $ sandbox expect message.delivered --message last --within 30s
  $ sandbox expect message.failed --where data.failure_reason=REJECTED_SPAM --count 2
  $ sandbox expect email.bounced --not --within 5s`

const atLeastOne = parserOf((text) => countOf(text) || undefined, 'It must be at least 1. To expect none, use --not.')
