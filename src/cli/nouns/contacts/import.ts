import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AnswerTo } from '../../../client/answers.ts'
import { withCommas } from '../../../words/number-text.ts'
import type { Paint } from '../../output/paint.ts'
import { progressBar } from '../../output/progress.ts'
import { EXIT, type ExitCode, usage } from '../../process/exit.ts'
import { callOperation } from '../../session/call-operation.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { COLUMNS, csvRows } from './csv.ts'
import { jsonRows } from './json.ts'
import type { ContactFileRow } from './row.ts'

interface ImportFlags {
  format?: 'csv' | 'json'
  delimiter: string
}

export function addImport(group: Command, run: Run) {
  const command = group
    .command('import')
    .description('Create or update the contacts of a CSV or JSON file')
    .argument('<file>', 'file.csv, file.json, or - for stdin')
    .addOption(
      new Option('--format <format>', 'what the file is, where its name does not say').choices(['csv', 'json']),
    )
    .option('--delimiter <character>', 'what separates the cells of a CSV file', delimiterOf, ',')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [file], options: ImportFlags) => importFile(session, file!, options))
}

const AFTER = `
The first line of a CSV file names its columns: ${COLUMNS}.
Tags are separated by ; and an empty cell leaves its field as it is. A JSON file holds an array of contacts.
Rows that are refused do not keep the others out; they are listed with their lines, and the exit code is 4.

Examples:
  $ sandbox contacts import people.csv
  $ sandbox contacts import --format json - < people.json`

/** Rows per request: small enough for a service's body limit, large enough to be quick. */
const CHUNK = 500

type Answer = AnswerTo<'contacts.import'>

interface Report extends Omit<Answer, 'errors'> {
  errors: (ContactFileRow['place'] & { field: string; message: string })[]
}

async function importFile(session: Session, file: string, flags: ImportFlags): Promise<ExitCode> {
  const { output } = session
  const report: Report = { imported: 0, updated: 0, skipped: 0, errors: [] }
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
  if (doneOf(report) === 0) throw usage(`${file === '-' ? 'stdin' : file} holds no contacts.`)
  output.data(report, (paint, shown) => inWords(shown, paint))
  return report.skipped > 0 ? EXIT.refused : EXIT.ok
}

const doneOf = ({ imported, updated, skipped }: Report) => imported + updated + skipped

function rowsOf({ io }: Session, file: string, { format, delimiter }: ImportFlags): AsyncIterable<ContactFileRow> {
  const kind = format ?? /\.(csv|json)$/i.exec(file)?.[1]?.toLowerCase()
  if (kind === 'csv') return csvRows(io, file, delimiter)
  if (kind === 'json') return jsonRows(io, file)
  throw usage(`What is in ${file === '-' ? 'stdin' : file}? Its name ends in neither .csv nor .json.`, 'Pass --format.')
}

async function* chunksOf(rows: AsyncIterable<ContactFileRow>): AsyncGenerator<ContactFileRow[]> {
  let chunk: ContactFileRow[] = []
  for await (const row of rows) {
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** Sends the valid rows of a chunk and adds the outcome of all rows to the report. */
async function sendChunk(session: Session, rows: readonly ContactFileRow[], report: Report) {
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

function warnOfRest({ output }: Session, { errors: _, ...done }: Report) {
  const said = `The import broke off: ${doneOf({ ...done, errors: [] })} rows were taken. Repeat it: known contacts are only updated.`
  output.warn({ warning: 'import_broke_off', message: said, ...done }, (paint) => paint.yellow(`! ${said}`))
}

const MAX_SHOWN = 50

function inWords({ imported, updated, skipped, errors }: Report, paint: Paint): string {
  const mark = skipped > 0 ? paint.yellow('!') : paint.green('✓')
  return [
    `${mark} ${imported} new, ${updated} updated, ${skipped > 0 ? paint.red(`${skipped} refused`) : 'none refused'}`,
    ...errors.slice(0, MAX_SHOWN).map((error) => {
      const where = 'line' in error ? `line ${error.line}` : `contacts[${error.index}]`
      return `  ${paint.bold(where)}  ${[error.field, error.message].filter(Boolean).join(': ')}`
    }),
    ...(errors.length > MAX_SHOWN ? [paint.dim(`  … and ${errors.length - MAX_SHOWN} more; --json lists all`)] : []),
  ].join('\n')
}

function delimiterOf(text: string): string {
  const character = text === '\\t' || text === 'tab' ? '\t' : text
  if (character.length !== 1 || /[\w"\r\n]/.test(character))
    throw new InvalidArgumentError('It must be one character, such as ";".')
  return character
}
