import type { Command } from 'commander'
import { PAGE_NAMES, pageOf, rootPage } from '../../help/pages.ts'
import { type Run, setAction } from '../../session/session.ts'

/** Its pages show all commands. */
export const needsAllCommands = true

const SUMMARY = 'Show help on a command, a group of commands or a topic'

export function add(program: Command, run: Run) {
  const command = program
    .command('help')
    .description(SUMMARY)
    .argument('[topic...]', `a command, or one of ${PAGE_NAMES.join(', ')}`)
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbox help send\n  $ sandbox help simulating\n  $ sandbox help recipes\n  $ sandbox help options\n  $ sandbox help exit-codes',
    )
  // Help on a command is its --help: cli/run.ts turns one into the other.
  setAction(
    command,
    run,
    { group: 'managing', effect: 'reads', needs: 'nothing', globals: [] },
    async (_, [[topic = '']]: [string[]]) => {
      if (PAGE_NAMES.includes(topic)) program.configureOutput().writeOut!(pageOf(topic, program))
      else program.configureOutput().writeOut!(rootPage(program))
    },
  )
}
