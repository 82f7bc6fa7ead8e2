import type { Command } from 'commander'
import { repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import type { RunFlags } from './run.ts'
import { variableFlag } from './variables.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('run')
    .description('Run scenario files: calls, waits, the clock, and what is expected, against the emulator or a service')
    .argument('<file...>', 'scenario files, or - for stdin')
    .option(
      '--var <name=value>',
      'set a variable of the file; JSON where it is any (repeatable)',
      repeated(variableFlag),
    )
    .option('--junit <file>', 'write the results as JUnit XML, for build servers')
    .option('--dry-run', 'check the files and show their steps; no call is made')
    .option('--watch', 'run again whenever a file changes, until Ctrl-C')
    .addHelpText('after', AFTER)
  setAction(command, run, async (session, [files], flags: RunFlags) => {
    // Loaded on call only: help and other commands need no schemas.
    const { start } = await import('./run.ts')
    return start(session, files as unknown as string[], flags)
  })
}

const AFTER = `
A step that fails ends its file, and is told with file and line. Exit codes: 0 all passed, 3 a file is wrong, 7 something
was not as expected, 8 something was waited for in vain.

Examples:
  $ sandbox run order.yaml
  $ sandbox run order.yaml --junit results.xml
  $ sandbox run order.yaml --var phone=+491713920030 --watch
  $ sandbox run order.yaml --dry-run`
