import { type Command, InvalidArgumentError, Option } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { intervalOption } from '../../session/watching.ts'
import { durationOption } from '../../target/globals.ts'
import { whereOption } from '../listen/filters.ts'
import { type ExpectFlags, expectEvent } from './run.ts'

const SUMMARY = 'Wait until an event has come, and fail when it has not'

export function add(program: Command, run: Run) {
  const command = program
    .command('expect')
    .helpGroup('Webhooks:')
    .summary(SUMMARY)
    .description(`${SUMMARY}. What is in the log already counts.`)
    .argument('<event>', 'name of the event, or a family such as "message.*"')
    .option('--message <id>', 'only events of this message; "last" is the one sent last')
    .addOption(
      new Option('--subject <id>', 'only events of this message, contact or other record').conflicts('message'),
    )
    .addOption(whereOption())
    .option('--count <number>', 'so many, at least', atLeastOne, 1)
    .option('--not', 'none may come')
    .addOption(durationOption('--within <duration>', "how long to wait, on the sandbox's clock", '30s'))
    .option('--after <seq>', 'only events after this position of the log', countOf)
    .addOption(intervalOption())
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [event], options: ExpectFlags) => expectEvent(session, event!, options))
}

const AFTER = `
A clock that stands is not waited for: what is not there and not due will not come before "sandbox clock advance".
At a service without an event log, events of one --message are seen in its timeline, on the clock of this machine.
Exits with 7 when it cannot come any more, or came and must not; with 8 when the time was up.

GET /_sandbox/events

Examples:
  $ sandbox expect message.delivered --message last --within 30s
  $ sandbox expect message.failed --where data.failure_reason=REJECTED_SPAM --count 2
  $ sandbox expect email.bounced --not --within 5s`

function atLeastOne(text: string): number {
  const count = countOf(text)
  if (count === 0) throw new InvalidArgumentError('It must be at least 1; --not is for none.')
  return count
}
