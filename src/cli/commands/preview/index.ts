import { type Command, Option } from 'commander'
import { PROFILES } from '../../../inspector/handset/shapes.ts'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { type PreviewFlags, preview } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('preview')
    .helpGroup('Messages:')
    .description('Show a message as a phone would, and what the phone shows differently from the request')
    .argument(
      '<what>',
      `a JSON file with content or a whole send, - for stdin; or a message ("${LAST}" for the one sent last)`,
    )
    .addOption(new Option('--as <profile>', 'which phone; with --lint both unless given').choices(PROFILES))
    .option('--lint', 'only what is shown otherwise; exits with 7 where something is not shown at all')
    .option('--png <file>', 'write a picture of the phone, made by an installed Chromium')
    .option('--force', 'with --png: replace a file that is there')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [what], options: PreviewFlags) => preview(session, what!, options))
}

const AFTER = `
Rules are those that vendors publish; each finding has a code and its source (docs/inspector.md). Media are never loaded.

Examples:
  $ sandbox preview card.json
  $ sandbox preview last --as ios
  $ sandbox preview card.json --lint
  $ sandbox preview card.json --as ios --png card.png`
