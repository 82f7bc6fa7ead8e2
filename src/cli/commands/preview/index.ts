import { type Command, Option } from 'commander'
import { PROFILES } from '../../../display/handset/shapes.ts'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { preview } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('preview')
    .description('Show a message as a phone displays it, with the differences')
    .argument(
      '<what>',
      `JSON file with the content or a whole send, - for stdin; or a message id ("${LAST}" for the message that was sent last)`,
    )
    .addOption(new Option('--as <profile>', 'phone platform (default: android; with --lint both)').choices(PROFILES))
    .option('--lint', 'list differences only; exit code 7 if the phone drops something')
    .option('--png <file>', 'write a picture of the phone; needs Chromium')
    .option('--force', 'replace an existing file')
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'messaging', effect: 'reads', needs: 'service', exits: ['expectation'] }, preview)
}

const NOTES = `
card.json can be {"text": "Hello"} or {"rich_card": {…}}; "sandbox send --help" shows a complete card. The rules are those that vendors
publish; each finding has a code and a source (docs/inspector.md). Media are not loaded. On a terminal, or with --output table, the message
is drawn as text.

Examples:
  $ sandbox preview card.json
  $ sandbox preview last --as ios --output table
  $ sandbox preview card.json --lint
  $ sandbox preview card.json --as ios --png card.png`
