import { type Command, Option } from 'commander'
import { countOf } from '../../../generate/flags.ts'
import { setFacts } from '../../../help/facts.ts'
import { subjectOption } from '../../../session/last-sent.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { eventsOption, notOption, whereOption } from '../../listen/filters.ts'
import { type TailFlags, tail } from './run.ts'

export function addTail(group: Command, run: Run) {
  const command = group
    .command('tail')
    .description('Follow the event log')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', subjectOption.describe)
    .addOption(new Option('--message <id>', 'only events of this message, or "last"').conflicts('subject'))
    .option(
      '--since <start|2h|event>',
      'first events: from the start, a time ago, or after an event (default: from now on)',
    )
    .option('--limit <number>', 'number of events after which to end', countOf)
    .addHelpText('after', NOTES)
  setFacts(command, { effect: 'reads', needs: 'sandbox' })
  setAction(command, run, (session, _, options: TailFlags) => tail(session, options))
}

const NOTES = `
After a lost connection the command continues at its position and reports dropped events on stderr. The exit code is 0.

GET /_sandbox/events/stream

Examples:
  $ sandbox events tail --events "message.*,email.bounced"
  $ sandbox events tail --message msg_… --since start
  $ sandbox events tail --limit 1 --events message.delivered`
