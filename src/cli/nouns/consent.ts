import type { NounCommands } from '../generate/noun.ts'

const args = {
  id: { name: 'contact', describe: 'contact id, or its external_id' },
  record_id: { name: 'record', describe: 'id of the consent record: cr_…' },
}
const columns = ['id', 'channel_type', 'message_type', 'status', 'doi_status', 'source']

export const commands: NounCommands<'consent'> = {
  verbs: {
    list: { args, columns, examples: ['sandbox consent list magic-50'] },
    record: {
      args,
      done: { 201: 'consent {id} is {status}', 200: 'consent {id} already existed and is {status}' },
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
        'sandbox consent grant magic-41 --channel-type RCS --message-type MESSAGE --source "signup form"',
        'sandbox consent request magic-50 --channel-type RCS --message-type NEWSLETTER --doi-channel RCS --source "signup form"',
      ],
    },
    revoke: {
      args,
      done: 'consent {id} is {status}',
      examples: ['sandbox consent revoke magic-50 cr_…'],
    },
    confirm: { args, done: 'consent {id} is {status}', examples: ['sandbox consent confirm magic-42 cr_…'] },
  },
}
