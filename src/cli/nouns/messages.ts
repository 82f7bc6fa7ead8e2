import { statusAfter } from '../../words/statuses.ts'
import { addWatch } from '../commands/messages/watch/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import { render } from '../output/render.ts'
import { explainedMessageId, messageArgument } from '../session/last-sent.ts'
import type { Session } from '../session/session.ts'
import { callOperation } from '../target/call-operation.ts'
import { explanation } from './messages/explanation.ts'

/** The list takes ids only; a path takes an external_id too (interface §2.1). */
const reads = {
  contact_id: {
    describe: 'contact that received or sent the messages: its id or external_id',
    read: async (text: string, session: Session) =>
      text.startsWith('c_')
        ? text
        : (await callOperation(session, 'contacts.get', { params: { id: text }, isLookup: true })).id,
  },
}

const COLUMNS = ['id', 'status', 'failure_reason', 'channel', 'to', 'message_type', 'created_at'] as const

export const commands: NounCommands<'messages'> = {
  args: { id: messageArgument },
  notes:
    '"last" stands for the id of the message that was accepted last: "sandbox messages get last". Why it got its status: "sandbox explain last --query summary".',
  verbs: {
    // `sandbox send` is hand-written.
    send: { skip: true },
    // Used by `sandbox send --batch --dry-run`.
    rehearse: { skip: true },
    // Hand-written as `sandbox lint`, which needs no sandbox for a file.
    lint: { skip: true },
    get: {
      forPeople: ({ events = [], ...message }, paint) =>
        render(
          { ...message, events: events.map(({ type, ...step }) => ({ status: statusAfter(type), ...step })) },
          paint,
          { money: ['cost'] },
        ),
    },
    revoke: { done: 'message {id} is {status}' },
    list: {
      reads,
      columns: COLUMNS,
      examples: [
        'sandbox messages list --limit 3',
        'sandbox messages list --status failed --output ndjson',
        'sandbox messages list --status delivered --all --quiet | wc -l',
      ],
    },
    search: {
      reads,
      positional: ['text'],
      columns: COLUMNS,
      examples: ['sandbox messages search parcel --status delivered'],
    },
    explain: {
      shortcut: 'explain',
      args: { id: { ...messageArgument, read: explainedMessageId } },
      forPeople: explanation,
      examples: [
        'sandbox explain last',
        'sandbox explain +491713920050',
        'sandbox explain last --query summary',
        'sandbox explain msg_00000000-0000-4000-8000-000000000001 --json | jq ".steps[] | {what, because: [.because[].says]}"',
      ],
    },
  },
  handWritten: [addWatch],
}
