import type { Command } from 'commander'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { type ReportFlags, report } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('report')
    .description('Write a report of what happened, and a copy of the world')
    .argument('[folder]', 'folder to write to', 'sandbox-failures')
    .option('--title <text>', 'title of the page', 'sandbox')
    .option('--error <text>', 'error of the test')
    .option('--lease <ids>', 'only what concerns these leases, separated by commas')
    .addHelpText('after', NOTES)
  setFacts(command, { group: 'testing', effect: 'reads', needs: 'sandbox' })
  setAction(command, run, (session, [folder], options: ReportFlags) => report(session, folder!, options))
}

const NOTES = `
The page is one HTML file that loads nothing and holds no secrets. On GitHub Actions its summary gets an entry. An
earlier report with the same title in this folder is replaced.

Examples:
  $ sandbox report
  $ sandbox report failed --title "An order is confirmed"`
