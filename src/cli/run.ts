import { type Command, CommanderError } from 'commander'
import { EXIT, type ExitCode, usage } from './exit.ts'
import { tell } from './failure.ts'
import type { Io } from './io.ts'
import { createOutput } from './output.ts'
import { createProgram } from './program.ts'
import type { Run } from './session.ts'

/** Runs one command line; the result is its exit code. Nothing is thrown. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const beforeRest = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const output = await createOutput(io, {
    json: beforeRest.includes('--json'),
    color: !beforeRest.includes('--no-color'),
  })
  const state: Run = { io, output, exit: EXIT.ok }
  let program: Command | undefined
  try {
    program = await createProgram(argv, state)
    await program.parseAsync(argv, { from: 'user' })
    return endOf(state)
  } catch (error) {
    // Our reader has left, as `| head` does: that is no failure.
    if (io.signal.reason === 'EPIPE') return EXIT.ok
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    return tell(error instanceof CommanderError ? misuse(error, pathIn(program, argv)) : error, output)
  }
}

const endOf = ({ io, exit }: Run): ExitCode => (io.signal.reason === 'EPIPE' ? EXIT.ok : exit)

function misuse(error: CommanderError, path: string) {
  const help = `See: ${path} --help`
  if (error.code === 'commander.help') return usage('Which command? None is given.', help)
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const guess = more.map((line) => line.replace(/^\((.*)\)$/, '$1')).join(' ')
  return usage(sentence(message), [guess, help].filter(Boolean).join(' '))
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`

/** The innermost command that the words lead to: `sandbox messages get`. */
function pathIn(program: Command | undefined, argv: readonly string[]): string {
  let here = program
  let path = 'sandbox'
  for (const word of argv) {
    const next = here?.commands.find((command) => command.name() === word || command.aliases().includes(word))
    if (!next) continue
    here = next
    path += ` ${word}`
  }
  return path
}
