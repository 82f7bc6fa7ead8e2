import { type Command, Option } from 'commander'
import { countOf } from '../../../generate/flags.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { eventsOption, notOption, whereOption } from '../../listen/filters.ts'
import { type TailFlags, tail } from './run.ts'

export function addTail(group: Command, run: Run) {
  const command = group
    .command('tail')
    .description('Follow the event log: one line for each event as it happens')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', 'only events of this message, contact or other record')
    .addOption(new Option('--message <id>', 'only events of this message').conflicts('subject'))
    .option('--since <start|2h|event>', 'where to begin: the start, how long ago, or after an event; else now')
    .option('--limit <number>', 'end after so many events', countOf)
    .addHelpText('after', AFTER)
  setAction(command, run, (session, _, options: TailFlags) => tail(session, options))
}

const AFTER = `
Goes on where it was when the emulator or the connection comes back, and says on stderr what was dropped meanwhile.
Ends with 0, by Ctrl-C as by --limit.

GET /_sandbox/events/stream

Examples:
  $ sandbox events tail --events "message.*,email.bounced"
  $ sandbox events tail --message msg_… --since start
  $ sandbox events tail --limit 1 --events message.delivered`
