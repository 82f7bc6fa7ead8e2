import type { NounCommands } from '../noun.ts'

const args = {
  id: { name: 'contact', describe: 'contact id, or its external_id' },
  record_id: { name: 'record', describe: 'id of the consent record: cr_…' },
}
const columns = ['id', 'channel_type', 'message_type', 'status', 'doi_status', 'source']

export const commands: NounCommands<'consent'> = {
  verbs: {
    list: { args, columns },
    record: {
      args,
      variants: [
        {
          name: 'grant',
          summary: 'Record that the contact consents (single opt-in)',
          preset: { status: 'GRANTED' },
          without: ['enforced_doi', 'doi_channel'],
        },
        {
          name: 'request',
          summary: 'Ask the contact to confirm (double opt-in): PENDING until the link is opened',
          preset: { status: 'PENDING', enforced_doi: true },
          required: ['doi_channel'],
        },
      ],
      examples: [
        'sandbox consent grant magic-43 --channel-type RCS --message-type MESSAGE --source "signup form"',
        'sandbox consent request magic-50 --channel-type RCS --message-type NEWSLETTER --doi-channel RCS --source "signup form"',
      ],
    },
    revoke: { args },
    confirm: { args },
  },
}
