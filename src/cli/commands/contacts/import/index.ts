import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Run, setAction } from '../../../session/session.ts'
import { COLUMNS } from './csv.ts'
import { type ImportFlags, importFile } from './run.ts'

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

function delimiterOf(text: string): string {
  const character = text === '\\t' || text === 'tab' ? '\t' : text
  if (character.length !== 1 || /[\w"\r\n]/.test(character))
    throw new InvalidArgumentError('It must be one character, such as ";".')
  return character
}
