import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { durationFlag } from '../../target/globals.ts'
import type { RecordFlags } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('record')
    .description('Record API calls as a scenario file')
    .option('--out <file>', 'file to write (default: stdout)')
    .option('--force', 'replace an existing file')
    .option('--name <name>', 'name of the scenario (default: file name)')
    .option('--since <start|2h>', 'use past calls since then, and end at once')
    .option('--for <duration>', 'time to record (default: until Ctrl-C)', durationFlag)
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    { group: 'testing', effect: 'reads', needs: 'sandbox', exits: ['expectation'] },
    // Loaded on call only: operations and YAML are slow to load.
    async (session, _, options: RecordFlags) => (await import('./run.ts')).record(session, options),
  )
}

const NOTES = `
The command reads the request log of the sandbox, so it records every caller: your code, curl, the inspector and other commands. Ids
become variables, and what "expect" or "--watch" waited for becomes a wait. Reads of the sandbox itself (logs, events, inbox) are left
out; other reads become steps that repeat until the answer is the same. The log holds no secrets: add them by hand.
docs/scenarios.md describes the file.

Examples:
  $ sandbox record --for 30s > story.yaml
  $ sandbox record --since start > story.yaml
  $ sandbox record --since 10m | sandbox run - --dry-run
  $ sandbox record > story.yaml`
