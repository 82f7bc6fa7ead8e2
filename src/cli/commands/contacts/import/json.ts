import { isRecord } from '../../../../words/json.ts'
import { usage } from '../../../process/exit.ts'
import { jsonIn, textOf } from '../../../process/files.ts'
import type { Io } from '../../../process/io.ts'
import type { ContactFileRow } from './row.ts'

/** Reads an array of contacts, or a body of POST /v1/contacts/import, from a file or stdin. */
export async function* jsonRows(io: Io, path: string): AsyncGenerator<ContactFileRow> {
  const contacts = contactsIn(await textOf(io, path), path)
  for (const [index, contact] of contacts.entries()) {
    const row = { place: { index }, share: (index + 1) / contacts.length }
    yield isRecord(contact) ? { ...row, contact } : { ...row, fault: { field: '', message: 'must be an object' } }
  }
}

function contactsIn(text: string, path: string): unknown[] {
  const value = jsonIn(text.replace(/^\ufeff/, ''), path)
  const contacts = Array.isArray(value) ? value : (value as { contacts?: unknown } | null)?.contacts
  if (Array.isArray(contacts)) return contacts
  throw usage(`${path} must hold a JSON array of contacts, or an object with such an array in contacts.`)
}
