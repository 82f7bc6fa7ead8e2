import { fieldOf } from '../generate/form.ts'
import type { NounCommands } from '../generate/noun.ts'
import { render } from '../output/render.ts'
import type { Session } from '../session/session.ts'
import { callOperation } from '../target/call-operation.ts'

/** The arguments of a command that changes a record; `isOpen` tells by its status whether it can be changed. */
const ofRecord = (isOpen: (status: unknown) => boolean) => ({
  record_id: {
    name: 'record',
    describe: 'id of the consent record, cr_…; needed if several fit',
    found: {
      fits: ({ status }: Readonly<Record<string, unknown>>) => isOpen(status),
      fields: (['channel_type', 'message_type'] as const).map((name) => ({
        ...fieldOf('consent.record', name),
        description: name.replace('_', ' '),
        required: false,
      })),
      find: async (session: Session, params: Readonly<Record<string, string>>) =>
        (await callOperation(session, 'consent.list', { params, isLookup: true })).consent_records,
    },
  },
})
const columns = ['id', 'channel_type', 'message_type', 'status', 'doi_status', 'source']

export const commands: NounCommands<'consent'> = {
  args: { id: { name: 'contact', describe: 'contact id, or its external_id', example: 'magic-50' } },
  notes:
    'A send needs the record of its message type; its traffic type, such as PROMOTION, does not matter. A NEWSLETTER, and any MESSAGE over RCS or SMS, needs a GRANTED record. A MESSAGE by email and a CONVERSATION need no record, but a REVOKED one blocks them.\n\nA request sends the confirmation: "sandbox inbox show <address>" shows it, "confirm" accepts it; a reply does not.\n\nOpt-in by a reply: grant MESSAGE, send a question, let the phone reply ("sandbox handsets reply <phone> YES"), and then grant NEWSLETTER, as your application would.',
  example: 'request',
  verbs: {
    list: { columns },
    record: {
      done: { 201: 'consent {id} is {status}', 200: 'consent {id} already existed and is {status}' },
      forPeople: (record, paint) =>
        [
          render(record, paint),
          record.status === 'GRANTED'
            ? `  Undo  ${paint.command(`consent revoke ${record.contact_id} ${record.id}`)}`
            : `  Confirm as the contact  ${paint.command(`consent confirm ${record.contact_id} ${record.id}`)}`,
        ].join('\n'),
      variants: [
        {
          name: 'grant',
          summary: 'Record the consent of a contact (single opt-in)',
          preset: { status: 'GRANTED' },
          without: ['enforced_doi', 'doi_channel'],
        },
        {
          name: 'request',
          summary: 'Ask a contact to confirm consent (double opt-in)',
          preset: { status: 'PENDING', enforced_doi: true },
          required: ['doi_channel'],
        },
      ],
      examples: [
        'sandbox consent request magic-50 --channel-type RCS --message-type NEWSLETTER --doi-channel RCS --source "signup form"',
        'sandbox consent grant magic-41 --channel-type RCS --message-type MESSAGE --source "signup form"',
      ],
    },
    revoke: {
      args: ofRecord((status) => status !== 'REVOKED'),
      done: 'consent {id} is {status}',
      examples: ['sandbox consent revoke magic-50 --channel-type RCS --message-type NEWSLETTER'],
    },
    confirm: {
      args: ofRecord((status) => status === 'PENDING'),
      done: 'consent {id} is {status}',
      examples: ['sandbox consent confirm magic-42 --channel-type RCS --message-type MESSAGE'],
    },
  },
}
