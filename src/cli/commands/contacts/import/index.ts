import { type Command, Option } from 'commander'
import { delimiterOf } from '../../../generate/csv.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { COLUMNS } from './csv.ts'
import { importFile } from './run.ts'

export function addImport(group: Command, run: Run) {
  const command = group
    .command('import')
    .description('Create or update contacts from a CSV or JSON file')
    .argument('<file>', 'file.csv, file.json, or - for stdin')
    .addOption(
      new Option('--format <format>', 'format of the file (default: by its name, else by its content)').choices([
        'csv',
        'json',
      ]),
    )
    .option('--delimiter <character>', 'separator of the cells of a CSV file', delimiterOf, ',')
    .addHelpText('after', NOTES)
  setAction(command, run, { effect: 'writes', needs: 'service' }, importFile)
}

const NOTES = `
The first line of a CSV file names its columns: ${COLUMNS}. A ; separates
tags; an empty cell leaves its field unchanged. A JSON file holds an array: [{"email": "ada@example.com", "tags": ["vip"]}].
Refused rows are listed by line, the others are imported; the exit code is then 4.

Examples:
  $ sandbox contacts import people.csv
  $ sandbox contacts import - < people.json`
