import { addWatch } from '../commands/messages/watch/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import { messageArgument } from '../session/last-sent.ts'
import { explanation } from './messages/explanation.ts'

const COLUMNS = ['id', 'status', 'channel', 'to', 'message_type', 'created_at'] as const

export const commands: NounCommands<'messages'> = {
  verbs: {
    // `sandbox send` is hand-written.
    send: { skip: true },
    // Used by `sandbox send --batch --dry-run`.
    rehearse: { skip: true },
    // Hand-written as `sandbox lint`, which needs no sandbox for a file.
    lint: { skip: true },
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
    search: {
      positional: ['text'],
      columns: COLUMNS,
      examples: ['sandbox messages search parcel --status delivered'],
    },
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
