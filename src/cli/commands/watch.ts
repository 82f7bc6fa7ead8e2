import { type Command, Option } from 'commander'
import { nounCommand } from '../generate.ts'
import { durationOption } from '../globals.ts'
import { messageArgument, messageIn } from '../last-sent.ts'
import { does, type Run } from '../session.ts'
import { intervalOption, settleOption, type WatchFlags, watch } from './watch/watching.ts'

export function addWatch(program: Command, run: Run) {
  const command = nounCommand(program, 'messages')
    .command('watch')
    .argument(`<${messageArgument.name}>`, messageArgument.describe)
    .description('Follow the timeline of a message until it ends')
    .addOption(new Option('--until <status>', 'end there, and take less for a failure').choices(['delivered', 'read']))
    .addOption(settleOption())
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'how long to watch; without end unless given', '0'))
    .addHelpText('after', '\nExits with 0 when the message arrived, 7 when it ended otherwise, 8 when the time was up.')
  does(command, run, async (session, [id], options) =>
    watch(session, await messageIn(id!, session), options as unknown as WatchFlags),
  )
}
