import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { Io } from '../../process/io.ts'
import { quoted } from '../../process/program-name.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { candidatesFor } from './candidates.ts'
import { SHELLS, type Shell, scriptFor } from './scripts.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('completion')
    .description('Print a script that completes commands, options and ids')
    .addArgument(program.createArgument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'managing', effect: 'reads', needs: 'nothing', globals: [] }, print)
  const complete = program
    .command('complete', { hidden: true })
    .description('Complete the last word (called by the completion scripts)')
    .argument('[words...]')
    .addOption(new Option('--next', 'a new word begins').hideHelp())
    .addHelpText('after', '\nExample:\n  $ sandbox complete -- messages ge')
  setAction(
    complete,
    run,
    { group: 'managing', effect: 'reads', needs: 'nothing' },
    async (session, [words]: [string[]], { next }) => {
      const typed = [...words, ...(next ? [''] : [])]
      const found = await candidatesFor(program, typed, session)
      session.output.raw(found.map(({ value, about }) => `${value}\t${about}\n`).join(''))
    },
  )
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

/**
 * The words that call this program from any folder. Outside of this folder, a package runner would look the name up
 * in the registry and run a foreign package.
 */
function callable({ program, launcher, cwd }: Io): string {
  const [, path] = /^node "?(.+?)"?$/.exec(program) ?? []
  if (path !== undefined) return `node ${quoted(resolve(cwd, path))}`
  return program.includes(' ') ? launcher.map(quoted).join(' ') : program
}

function print({ io, output }: Session, [shell]: [Shell]): Promise<void> {
  output.raw(scriptFor(shell, callable(io)))
  const word = io.program.split(' ').at(-1)!
  if (io.program !== word)
    output.note((paint) =>
      paint.dim(`The script completes the word ${word}. To use it here: alias ${word}='${callable(io)}'`),
    )
  return Promise.resolve()
}
