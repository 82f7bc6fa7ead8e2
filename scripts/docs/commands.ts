import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'
import type { Run } from '../../src/cli/session/session.ts'
import { GROUP as EVERYWHERE } from '../../src/cli/target/globals.ts'

let written = ''
const io = { program: 'sandbox', stdout: { columns: 100, write: (text: string) => (written += text) } }
const program = await createProgram([], { io, output: {}, exit: 0 } as unknown as Run)

/** Lists the commands with their help, below the headings of `sandbox --help`. */
export function commandReference(): string {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup().replace(/:$/, ''))
  return [...groups]
    .map(([group, commands]) =>
      [`## ${group}`, ...commands.flatMap((command) => sectionsOf(command as Command))].join('\n\n'),
    )
    .join('\n\n')
}

/** Lists the options of all commands. */
export const globalOptions = (): string => fenced(blockOf(helpOf(program), EVERYWHERE))

function sectionsOf(command: Command, path: readonly string[] = []): string[] {
  const here = [...path, command.name()]
  const inner = command.commands.flatMap((one) => sectionsOf(one as Command, here))
  return [
    `${path.length === 0 ? '###' : '####'} sandbox ${here.join(' ')}`,
    fenced(withoutRepeated(helpOf(command))),
    ...inner,
  ]
}

function helpOf(command: Command): string {
  written = ''
  command.outputHelp()
  return written.trim()
}

const blockOf = (help: string, heading: string) =>
  help.split('\n\n').find((block) => block.startsWith(`${heading}\n`)) ?? ''

/** Removes the options of all commands and the list of subcommands, which the page has elsewhere. */
const withoutRepeated = (help: string): string =>
  help
    .split('\n\n')
    .filter((block) => !block.startsWith(`${EVERYWHERE}\n`) && !block.startsWith('Commands:\n'))
    .join('\n\n')
    .replace(/^ {2}-h, --help .*\n?/gm, '')
    .replace(/^Options:\n(?=\n|$)/gm, '')
    .replace(/\n{3,}/g, '\n\n')

const fenced = (text: string) => `\`\`\`text\n${text.trim()}\n\`\`\``
