import type { Command } from 'commander'
import { treeOf } from '../../help/tree.ts'
import { type Run, setAction } from '../../session/session.ts'
import { choosesFormat, OUTPUT_GLOBALS } from '../../target/globals.ts'
import { treeForPeople } from './tell.ts'

/** It lists all of them. */
export const needsAllCommands = true

const SUMMARY = 'List all commands, with --json as a full description'

export function add(program: Command, run: Run) {
  const command = program.command('commands').description(SUMMARY).addHelpText('after', NOTES)
  setAction(
    command,
    run,
    { group: 'managing', effect: 'reads', needs: 'nothing', globals: OUTPUT_GLOBALS },
    async ({ output }) => {
      const tree = treeOf(program)
      // The description is too long for a reader, and programs ask for a format.
      if (output.isForPeople || choosesFormat(command)) output.data(tree, (paint) => treeForPeople(tree, paint))
      else output.raw(`${treeForPeople(tree, output.paint)}\n`)
    },
  )
}

const NOTES = `
Each command of the JSON has its arguments and options (type, default, environment variables, choices), its effect (reads, writes or
destroys), what it needs (a sandbox, a service or nothing), its exit codes and its examples.

Examples:
  $ sandbox commands
  $ sandbox commands --json --query "commands[?effect=='destroys'].command"`
