import type { Overlay } from '../overlay.ts'

const flags = { tags: '--tag', custom_fields: '--custom-field' }
const id = { describe: 'contact id, or its external_id' }

export const contacts: Record<string, Overlay> = {
  'contacts.create': {
    flags,
    examples: [
      'sandbox contacts create --email ada@example.com --phone +491713920050 --first-name Ada --tag vip',
      'sandbox contacts create --phone +491713920051 --custom-field plan=gold',
    ],
  },
  'contacts.get': { args: { id } },
  'contacts.update': {
    flags,
    args: { id },
    examples: [
      'sandbox contacts update magic-50 --status BLOCKED',
      'sandbox contacts update magic-50 --unset last_name',
    ],
  },
  'contacts.delete': { args: { id } },
  // It reads a file instead of a body.
  'contacts.import': { skip: true },
}
