import { join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { addToSummary } from '../../../evidence/github.ts'
import { FAILURES_FOLDER, placeOf } from '../../../evidence/place.ts'
import { printable } from '../../output/printable.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { makeFolder, writeWhole } from '../../process/files.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

interface ReportFlags {
  title: string
  error?: string
  lease?: string
}

export function add(program: Command, run: Run) {
  const command = program
    .command('report')
    .description('Write a report of what happened, and a copy of the world')
    .argument('[folder]', 'folder to write to', FAILURES_FOLDER)
    .option('--title <text>', 'title of the page', 'sandbox')
    .option('--error <text>', 'error of the test')
    .option('--lease <ids>', 'only what concerns these leases, separated by commas')
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'testing', effect: 'reads', needs: 'sandbox' }, report)
}

const NOTES = `
The page is one HTML file that loads nothing and holds no secrets. On GitHub Actions the summary of the job gets an entry. An
earlier report with the same title in this folder is replaced.

Examples:
  $ sandbox report
  $ sandbox report failed --title "An order is confirmed"`

/** Writes the evidence of the world that the session speaks to, as the runners do for a failed test. */
async function report(session: Session, [folder]: [string], { title, error, lease }: ReportFlags): Promise<ExitCode> {
  const { io, output } = session
  const place = join(resolve(io.cwd, folder), placeOf({ title }, io.cwd))
  const [page, snapshot] = [`${place}.html`, `${place}.snapshot`].map((file) => relative(io.cwd, file)) as [
    string,
    string,
  ]
  const { lines } = await callOperation(session, 'evidence.show', { payload: { lease } })
  const html = await callOperation(session, 'evidence.page', { payload: { title, error, lease, snapshot } })
  const { name } = await callOperation(session, 'snapshots.save')
  const image = await callOperation(session, 'snapshots.export', { params: { name } })
  await callOperation(session, 'snapshots.delete', { params: { name } })
  makeFolder(io, folder)
  await writeWhole(io, page, html, { force: true, isPublic: true })
  await writeWhole(io, snapshot, image, { force: true })
  await addToSummary({ title, lines, page }, io.env)
  output.data({ page, snapshot, lines }, (paint) =>
    [
      ...lines.map((line) => paint.red(printable(line))),
      `${paint.green('✓')} ${printable(page)}`,
      `  ${printable(snapshot)}`,
    ].join('\n'),
  )
  return EXIT.ok
}
