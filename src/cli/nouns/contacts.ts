import { addGenerate } from '../commands/contacts/generate/index.ts'
import { addImport } from '../commands/contacts/import/index.ts'
import type { NounCommands } from '../generate/noun.ts'

const flags = { tags: '--tag', custom_fields: '--custom-field' }

/** test/cli/help.test.ts compares it with the default world. */
export const FREE_PHONES =
  'In the default world, the magic phones except +491713920043, and +491713920050 to …99, are contacts. Others are free, such as +12025550123.'

export const commands: NounCommands<'contacts'> = {
  args: { id: { describe: 'contact id, or its external_id', example: 'magic-50' } },
  ids: 'Name a contact by its id (contact_id in sandbox messages get last) or its external_id (magic-00 for +491713920000; sandbox world show lists magic recipients).',
  notes: `"create" updates a contact with this phone or email: other fields stay, and --tag replaces all tags. ${FREE_PHONES}`,
  example: 'create',
  verbs: {
    create: {
      flags,
      done: { 201: 'contact {id} is created', 200: 'contact {id} already existed and is updated' },
      examples: [
        'sandbox contacts create --external-id ada --email ada@example.com --phone +12025550123 --tag vip',
        'sandbox contacts create --phone +12025550124 --custom-field plan=gold',
      ],
    },
    update: {
      flags,
      done: 'contact {id} updated',
      examples: [
        'sandbox contacts update magic-50 --status BLOCKED',
        'sandbox contacts update magic-50 --unset last_name',
      ],
    },
    list: {
      examples: [
        'sandbox contacts list --text ada',
        `sandbox contacts list --all --query "contacts[?contains(tags, 'campaign-demo')].{id: id, phone: phone}"`,
      ],
    },
    delete: { done: 'contact {id} deleted' },
    // Hand-written in contacts/import.ts, which reads a file.
    import: { skip: true },
    // Hand-written in contacts/generate.ts, which shows progress.
    generate: { skip: true },
  },
  handWritten: [addImport, addGenerate],
}
