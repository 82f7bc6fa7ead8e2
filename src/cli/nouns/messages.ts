import { type Command, Option } from 'commander'
import type { NounCommands } from '../generate/noun.ts'
import { messageArgument, messageIdOf } from '../session/last-sent.ts'
import { type Run, setAction } from '../session/session.ts'
import { intervalOption, settleOption, type WatchFlags, watchToEnd } from '../session/watching.ts'
import { durationOption } from '../target/globals.ts'
import { explanation } from './messages/explanation.ts'

const COLUMNS = ['id', 'status', 'channel', 'to', 'message_type', 'created_at'] as const

export const commands: NounCommands<'messages'> = {
  verbs: {
    // `sandbox send` is hand-written.
    send: { skip: true },
    // Used by `sandbox send --batch --dry-run`.
    rehearse: { skip: true },
    get: { money: ['cost'], args: { id: messageArgument }, examples: ['sandbox messages get last'] },
    revoke: {
      args: { id: messageArgument },
      done: 'message {id} is {status}',
      examples: ['sandbox messages revoke last'],
    },
    list: {
      columns: COLUMNS,
      examples: ['sandbox messages list --limit 3', 'sandbox messages list --status failed --output ndjson'],
    },
    search: { columns: COLUMNS, examples: ['sandbox messages search --text parcel --status delivered'] },
    explain: {
      shortcut: 'explain',
      args: { id: messageArgument },
      forPeople: (explained) => (paint) => explanation(explained, paint),
      examples: [
        'sandbox explain last',
        'sandbox explain msg_00000000-0000-4000-8000-000000000001 --json | jq ".steps[] | {what, because: [.because[].says]}"',
      ],
    },
  },
  handWritten: [addWatch],
}

function addWatch(group: Command, run: Run) {
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
