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
    .addOption(
      new Option('--until <status>', 'end at this status; fail if the message ends before it').choices([
        'delivered',
        'read',
      ]),
    )
    .addOption(settleOption())
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'time limit; 0 means none', '0'))
    .addHelpText(
      'after',
      '\nExit codes: 0 the message arrived, 7 it ended otherwise, 8 the time is up.\n\nExample:\n  $ sandbox messages watch last --until delivered',
    )
  setAction(
    command,
    run,
    { effect: 'reads', needs: 'service', exits: ['expectation', 'timedOut'] },
    async (session, [id]: [string], options: WatchFlags) =>
      watchToEnd(session, await messageIdOf(id, session), options),
  )
}
