import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { durationFlag } from '../../target/globals.ts'
import type { RecordFlags } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('record')
    .description('Write a scenario file from what is done meanwhile, with ids as variables')
    .option('--out <file>', 'where to write it; stdout unless given')
    .option('--force', 'replace the file if it is there')
    .option('--name <name>', 'what the scenario is called; the name of the file unless given')
    .option('--since <start|2h>', 'take what was done since then, and do not wait')
    .option('--for <duration>', 'how long to record; until Ctrl-C unless given', durationFlag)
    .addHelpText('after', AFTER)
  setAction(command, run, async (session, _, options: RecordFlags) => {
    // Loaded on call only: operations and YAML are slow to load.
    const { record } = await import('./run.ts')
    return record(session, options)
  })
}

const AFTER = `
It reads the request log of the sandbox, so anything that calls it is recorded: your code, curl, the inspector, other
commands. What only looks (world show, logs, events) is left out. A read becomes one that is repeated until it says the same.
Secrets are not in the log, so put them in by hand. docs/scenarios.md says what may be in such a file.

Examples:
  $ sandbox record --for 30s > story.yaml
  $ sandbox record --since start > story.yaml
  $ sandbox record --since 10m | sandbox run - --dry-run
  $ sandbox record > story.yaml`
