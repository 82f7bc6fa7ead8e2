import type { Command } from 'commander'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import type { LintFlags } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('lint')
    .description('Check how phones and mail clients show a message')
    .argument('<what>', `JSON or HTML file, - for stdin; a message id or "${LAST}"; or an address: its newest message`)
    .option('--type <type>', 'message type of a file without one: MESSAGE, NEWSLETTER (default: MESSAGE)')
    .option('--subject <text>', 'subject of an HTML file')
    .option('--text <file>', 'plain-text part of an HTML file')
    .option('--junit <file>', 'write a JUnit report, for CI')
    .option('--sarif <file>', 'write a SARIF report, for code hosts')
    .option('--force', 'replace existing files')
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    { group: 'messaging', effect: 'reads', needs: 'service', exits: ['expectation'] },
    // Loaded on call only: the content of messages is checked by schemas.
    async (session, [what]: [string], options: LintFlags) =>
      (await import('./run.ts')).lintMessage(session, what, options),
  )
}

const NOTES = `
The exit code is 7 if there is an error. A file needs no sandbox and no network; links and images are not loaded.
An HTML file has no subject and no text part: without --subject and --text their
rules are skipped.

Examples:
  $ sandbox lint order.json
  $ sandbox lint newsletter.html --type NEWSLETTER --subject "News" --text news.txt
  $ sandbox lint ada@example.com`
