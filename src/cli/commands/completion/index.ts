import { type Command, Option } from 'commander'
import { EXIT } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { candidatesAt, mayBeFile, placeOf } from './candidates.ts'
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
  /** Ids come from the service that the typed options name. */
  const aimAs = (options: ReadonlyMap<string, string | true>) => {
    for (const option of complete.options.filter(({ long }) => SERVICE_OPTIONS.includes(long!))) {
      const value = options.get(option.long!)
      if (value !== undefined) complete.setOptionValueWithSource(option.attributeName(), value, 'cli')
    }
  }
  setAction(
    complete,
    run,
    { group: 'managing', effect: 'reads', needs: 'nothing', takesCommandLine: true },
    async (session, [words]: [string[]], { next }) => {
      const place = placeOf(program, [...words, ...(next ? [''] : [])])
      aimAs(place.options)
      const found = await candidatesAt(place, session)
      session.output.raw(found.map(({ value, about }) => `${value}\t${about}\n`).join(''))
      return found.length === 0 && mayBeFile(place) ? EXIT.notFound : EXIT.ok
    },
  )
}

const SERVICE_OPTIONS = ['--base-url', '--api-key', '--profile', '--control-token', '--ca-file', '--insecure']

const NOTES = `
Ids and names come from the service that your commands use. Run one of these lines in a shell, or add it to the file that your shell
reads at its start:

  bash        source <(sandbox completion bash)
  zsh         source <(sandbox completion zsh)
  fish        sandbox completion fish | source
  powershell  sandbox completion powershell | Out-String | Invoke-Expression

The script completes the command sandbox, and defines it if no such program is installed.

Examples:
  $ sandbox completion bash >> ~/.bashrc
  $ sandbox completion fish > ~/.config/fish/conf.d/sandbox.fish`

/**
 * The words that call this program from any folder. Outside of this folder, a package runner would look the name up
 * in the registry and run a foreign package.
 */
const callable = ({ program, launcher }: Io): readonly string[] => (/[ \\/]/.test(program) ? launcher : [program])

function print({ io, output }: Session, [shell]: [Shell]): Promise<void> {
  output.raw(scriptFor(shell, callable(io)))
  return Promise.resolve()
}
