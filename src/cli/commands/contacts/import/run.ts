import { isRecord } from '../../../../words/json.ts'
import { withCommas } from '../../../../words/number-text.ts'
import { progressBar } from '../../../output/progress.ts'
import { EXIT, type ExitCode, usage } from '../../../process/exit.ts'
import { inputName, jsonIn, textOf } from '../../../process/files.ts'
import type { Io } from '../../../process/io.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { contactRows } from './csv.ts'
import { recogniseFormat } from './format.ts'
import { type ContactFileRow, MAX_ROW_BYTES } from './row.ts'
import { doneOf, type ImportReport, inWords, warnOfRest } from './tell.ts'

export interface ImportFlags {
  format?: 'csv' | 'json'
  delimiter: string
}

/** Rows and characters per request: small enough for a service's body limit, large enough to be quick. */
const CHUNK_ROWS = 500
const CHUNK_LENGTH = 1_000_000

export async function importFile(session: Session, [file]: [string], flags: ImportFlags): Promise<ExitCode> {
  const { output } = session
  const report: ImportReport = { imported: 0, updated: 0, skipped: 0, errors: [] }
  const bar = progressBar(session)
  try {
    for await (const rows of chunksOf(rowsOf(session, file, flags))) {
      await sendChunk(session, rows, report)
      bar.show(rows.at(-1)!.share, `${withCommas(doneOf(report))} contacts`)
    }
  } catch (error) {
    bar.end()
    if (doneOf(report) > 0) warnOfRest(session, report)
    throw error
  }
  bar.end()
  if (doneOf(report) === 0) throw usage(`${inputName(file)} holds no contacts.`)
  output.data(report, (paint, shown) => inWords(shown, paint))
  return report.skipped > 0 ? EXIT.refused : EXIT.ok
}

async function* rowsOf(
  session: Session,
  file: string,
  { format, delimiter }: ImportFlags,
): AsyncGenerator<ContactFileRow> {
  const knownFormat = format ?? /\.(csv|json)$/i.exec(file)?.[1]?.toLowerCase()
  const { io, kind } = knownFormat ? { io: session.io, kind: knownFormat } : await recogniseFormat(session.io, file)
  yield* kind === 'json' ? jsonRows(io, file) : contactRows(io, file, delimiter)
}

async function* chunksOf(rows: AsyncIterable<ContactFileRow>): AsyncGenerator<ContactFileRow[]> {
  let chunk: ContactFileRow[] = []
  let length = 0
  for await (const row of rows) {
    const more = lengthOf(row.contact)
    if (chunk.length === CHUNK_ROWS || (chunk.length > 0 && length + more > CHUNK_LENGTH)) {
      yield chunk
      chunk = []
      length = 0
    }
    chunk.push(row)
    length += more
  }
  if (chunk.length > 0) yield chunk
}

const lengthOf = (contact: unknown): number => JSON.stringify(contact ?? null).length

/** Sends the valid rows of a chunk and adds the outcome of all rows to the report. */
async function sendChunk(session: Session, rows: readonly ContactFileRow[], report: ImportReport) {
  const sent = rows.filter(({ contact }) => contact !== undefined)
  const errors = rows.flatMap(({ place, fault }) => (fault ? [{ place, ...fault }] : []))
  report.skipped += errors.length
  if (sent.length > 0) {
    const contacts = sent.map(({ contact }) => contact!)
    const answer = await callOperation(session, 'contacts.import', { payload: { contacts } })
    const { imported, updated, skipped, errors: refused } = answer
    report.imported += imported
    report.updated += updated
    report.skipped += skipped
    for (const { index, ...error } of refused) errors.push({ place: sent[index]!.place, ...error })
  }
  errors.sort((a, b) => rankOf(a.place) - rankOf(b.place))
  report.errors.push(...errors.map(({ place, field, message }) => ({ ...place, field, message })))
}

const rankOf = (place: ContactFileRow['place']) => ('line' in place ? place.line : place.index)

/** Reads an array of contacts, or a body of POST /v1/contacts/import, from a file or stdin. */
async function* jsonRows(io: Io, path: string): AsyncGenerator<ContactFileRow> {
  const contacts = contactsIn(await textOf(io, path), path)
  for (const [index, contact] of contacts.entries()) {
    const row = { place: { index }, share: (index + 1) / contacts.length }
    const refused = (message: string) => ({ ...row, fault: { field: '', message } })
    if (!isRecord(contact)) yield refused('must be an object')
    else if (lengthOf(contact) > MAX_ROW_BYTES) yield refused(`must be smaller than ${MAX_ROW_BYTES / 1e6} MB`)
    else yield { ...row, contact }
  }
}

function contactsIn(text: string, path: string): unknown[] {
  const value = jsonIn(text, path)
  const contacts = Array.isArray(value) ? value : (value as { contacts?: unknown } | null)?.contacts
  if (Array.isArray(contacts)) return contacts
  throw usage(`${path} must hold a JSON array of contacts, or an object with such an array in contacts.`)
}
