import { type Command, Option } from 'commander'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { candidatesFor } from './candidates.ts'
import { print } from './run.ts'
import { SHELLS, type Shell } from './scripts.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('completion')
    .description('Print a script that completes commands, options and ids')
    .addArgument(program.createArgument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', NOTES)
  setFacts(command, { group: 'managing', effect: 'reads', needs: 'nothing' })
  setAction(command, run, (session, [shell]) => print(session, shell as Shell), { globals: [] })
  const complete = program
    .command('complete', { hidden: true })
    .description('Complete the last word (called by the completion scripts)')
    .argument('[words...]')
    .addOption(new Option('--next', 'a new word begins').hideHelp())
    .addHelpText('after', '\nExample:\n  $ sandbox complete -- messages ge')
  setFacts(complete, { group: 'managing', effect: 'reads', needs: 'nothing' })
  setAction(complete, run, async (session, [words], { next }) => {
    const typed = [...((words ?? []) as unknown as string[]), ...(next ? [''] : [])]
    const found = await candidatesFor(program, typed, session)
    session.output.raw(found.map(({ value, about }) => `${value}\t${about}\n`).join(''))
  })
}

const NOTES = `
Ids and names come from the service that your commands use. Run one of these lines in a shell, or add it to the file that your shell
reads at its start:

  bash        source <(sandbox completion bash)
  zsh         source <(sandbox completion zsh)
  fish        sandbox completion fish | source
  powershell  sandbox completion powershell | Out-String | Invoke-Expression

The script completes the word sandbox. If no such program is installed, add the alias that the script shows.

Examples:
  $ sandbox completion bash >> ~/.bashrc
  $ sandbox completion fish > ~/.config/fish/completions/sandbox.fish`
