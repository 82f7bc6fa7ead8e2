import type { NounCommands } from '../noun.ts'
import { addImport } from './contacts/import.ts'

const flags = { tags: '--tag', custom_fields: '--custom-field' }
const id = { describe: 'contact id, or its external_id' }

export const commands: NounCommands<'contacts'> = {
  verbs: {
    create: {
      flags,
      examples: [
        'sandbox contacts create --email ada@example.com --phone +491713920050 --first-name Ada --tag vip',
        'sandbox contacts create --phone +491713920051 --custom-field plan=gold',
      ],
    },
    get: { args: { id } },
    update: {
      flags,
      args: { id },
      examples: [
        'sandbox contacts update magic-50 --status BLOCKED',
        'sandbox contacts update magic-50 --unset last_name',
      ],
    },
    delete: { args: { id } },
    // contacts/import.ts reads a file instead of a body.
    import: { skip: true },
  },
  byHand: [addImport],
}
