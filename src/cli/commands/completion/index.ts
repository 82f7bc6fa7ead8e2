import { type Command, Option } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { candidatesFor } from './candidates.ts'
import { print } from './run.ts'
import { SHELLS, type Shell } from './scripts.ts'

const SUMMARY = 'Print what lets a shell complete commands, flags and ids'

export function add(program: Command, run: Run) {
  const command = program
    .command('completion')
    .helpGroup('Emulator:')
    .summary(SUMMARY)
    .description(`${SUMMARY}; ids and names are those of the service that the command speaks to.`)
    .addArgument(program.createArgument('<shell>', 'which one').choices(SHELLS))
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [shell]) => print(session, shell as Shell), { globals: [] })
  const complete = program
    .command('complete', { hidden: true })
    .description('What the scripts of completion ask: the words so far, the last of them begun')
    .argument('[words...]')
    .addOption(new Option('--next', 'a new word begins').hideHelp())
    .addHelpText('after', '\nExample:\n  $ sandbox complete -- messages ge')
  setAction(complete, run, async (session, [words], { next }) => {
    const said = [...((words ?? []) as unknown as string[]), ...(next ? [''] : [])]
    const found = await candidatesFor(program, said, session)
    session.output.raw(found.map(({ value, about }) => `${value}\t${about}\n`).join(''))
  })
}

const AFTER = `
For this shell alone, or in the file that it reads at its start:
  bash        source <(sandbox completion bash)
  zsh         source <(sandbox completion zsh)
  fish        sandbox completion fish | source
  powershell  sandbox completion powershell | Out-String | Invoke-Expression

Examples:
  $ sandbox completion bash >> ~/.bashrc
  $ sandbox completion fish > ~/.config/fish/completions/sandbox.fish`
