import { type Command, InvalidArgumentError, Option } from 'commander'
import { setFacts } from '../../../help/facts.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { COLUMNS } from './csv.ts'
import { type ImportFlags, importFile } from './run.ts'

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
  setFacts(command, { effect: 'writes', needs: 'service' })
  setAction(command, run, (session, [file], options: ImportFlags) => importFile(session, file!, options))
}

const NOTES = `
The first line of a CSV file names its columns: ${COLUMNS}. A ; separates
tags; an empty cell leaves its field unchanged. A JSON file holds an array: [{"email": "ada@example.com", "tags": ["vip"]}].
Refused rows are listed by line, the others are imported; the exit code is then 4.

Examples:
  $ sandbox contacts import people.csv
  $ sandbox contacts import - < people.json`

function delimiterOf(text: string): string {
  const character = text === '\\t' || text === 'tab' ? '\t' : text
  if (character.length !== 1 || /[\w"\r\n]/.test(character))
    throw new InvalidArgumentError('It must be one character, such as ";".')
  return character
}
