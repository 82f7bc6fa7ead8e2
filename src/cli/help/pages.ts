import type { Command } from 'commander'
import { EXIT_MEANINGS } from '../failure/exit-meanings.ts'
import { EXIT } from '../process/exit.ts'
import { GROUP as COMMON } from '../target/globals.ts'
import { COMMAND_GROUPS, type CommandGroup, FIRST_COMMANDS } from './groups.ts'
import { RECIPES } from './recipes.ts'
import { isCommon, visibleCommands } from './tree.ts'

/** The pages of `sandbox help` that belong to no single command. */
const PAGES: Readonly<Record<string, (program: Command) => string>> = {
  ...Object.fromEntries(
    (Object.keys(COMMAND_GROUPS) as CommandGroup[]).map((group) => [group, (program) => groupPage(program, group)]),
  ),
  recipes: recipesPage,
  options: optionsPage,
  'exit-codes': exitCodesPage,
}

export const PAGE_NAMES: readonly string[] = Object.keys(PAGES)

export const pageOf = (name: string, program: Command): string => PAGES[name]!(program)

const rowsOf = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`).join('\n')
}

const inGroup = (program: Command, group: string) =>
  visibleCommands(program).filter((command) => command.helpGroup() === group)

/** `sandbox --help`: the commands that people need first, and where the others are. */
export function rootPage(program: Command): string {
  const commands = visibleCommands(program)
  const first = FIRST_COMMANDS.flatMap((name) => commands.filter((command) => command.name() === name))
  const groups = Object.keys(COMMAND_GROUPS).map(
    (group) =>
      [
        group,
        inGroup(program, group)
          .map((command) => command.name())
          .join(', '),
      ] as const,
  )
  return `Usage: sandbox <command> [options]

${program.description()}

Start with these commands:
${rowsOf(first.map((command) => [command.name(), command.description()]))}

All commands by group; "sandbox help <group>" explains them:
${rowsOf(groups)}

More help:
${rowsOf([
  ['sandbox help <command>', 'arguments, options and examples of a command'],
  ['sandbox help recipes', 'the commands for common goals, such as an opt-in or a failing carrier'],
  ['sandbox help options', 'the common options, such as --json and --base-url'],
  ['sandbox help exit-codes', 'the exit codes'],
  ['sandbox commands --json', 'all commands for programs'],
  ['sandbox --version', 'the version; --licenses shows licences'],
])}

On a terminal, or with --output table, output is for people. In a pipe, or
with --json, it is JSON.
The docs/… files that help names are in node_modules/messaging-sandbox/docs
`
}

function groupPage(program: Command, group: CommandGroup): string {
  const parts = inGroup(program, group).map((command) => {
    const names = [command.name(), ...command.aliases()].join('|')
    const inner = visibleCommands(command)
    return inner.length === 0
      ? `  ${names}\n      ${command.description()}`
      : `  ${names}\n      ${command.description()}:\n      ${inner.map((one) => one.name()).join(', ')}`
  })
  return `${COMMAND_GROUPS[group]}:

${parts.join('\n')}

Help on one of them: sandbox help <command>
`
}

function recipesPage(): string {
  const sections = Object.entries(RECIPES).map(([section, goals]) => {
    const rows = Object.entries(goals).map(
      ([goal, commands]) => `  ${goal}\n${commands.map((command) => `  $ ${command}`).join('\n')}`,
    )
    return `${section}:\n\n${rows.join('\n')}`
  })
  return `${sections.join('\n\n')}\n`
}

function optionsPage(program: Command): string {
  const helper = program.createHelp()
  const rows = program.options
    .filter(isCommon)
    .map((option) => [option.flags, helper.optionDescription(option)] as const)
  return `${COMMON}
${rowsOf(rows)}

Write them before or after the command. Commands that call no service, such as start, accept only some of --output, --json, --query and --no-color.
`
}

function exitCodesPage(): string {
  const rows = Object.entries(EXIT).map(
    ([name, code]) => [String(code).padStart(3), EXIT_MEANINGS[name as keyof typeof EXIT]] as const,
  )
  return `Exit codes:
${rowsOf(rows)}
`
}
