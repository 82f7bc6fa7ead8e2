import { type Command, Option } from 'commander'
import { messageArgument, messageIdOf } from '../../../session/last-sent.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { intervalOption, settleOption, type WatchFlags, watchToEnd } from '../../../session/watching.ts'
import { durationOption } from '../../../target/globals.ts'

export function addWatch(group: Command, run: Run) {
  const command = group
    .command('watch')
    .argument(`<${messageArgument.name}>`, messageArgument.describe)
    .description('Follow the timeline of a message until it ends')
    .addOption(new Option('--until <status>', 'end there, and take less for a failure').choices(['delivered', 'read']))
    .addOption(settleOption())
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'how long to watch; without end unless given', '0'))
    .addHelpText(
      'after',
      '\nExits with 0 when the message arrived, 7 when it ended otherwise, 8 when the time was up.\n\nExample:\n  $ sandbox messages watch last --until delivered',
    )
  setAction(command, run, async (session, [id], options: WatchFlags) =>
    watchToEnd(session, await messageIdOf(id!, session), options),
  )
}
