import { COMMAND_GROUPS } from '../../src/cli/help/groups.ts'
import { pageOf } from '../../src/cli/help/pages.ts'
import { treeOf } from '../../src/cli/help/tree.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Run } from '../../src/cli/session/session.ts'
import { capitalised } from '../../src/words/sentence.ts'

const io = { program: 'sandbox', stdout: { columns: 100, write: () => {} } }
const program = await createProgram([], { io, output: {}, exit: 0 } as unknown as Run)
const { commands } = treeOf(program)

/** Lists all commands by group: what each does and takes, and an example. Its help has more of them, and details. */
export const commandReference = (): string =>
  Object.entries(COMMAND_GROUPS)
    .map(([group, about]) =>
      [`## ${capitalised(group)}`, `${about}.`, ...commands.filter((one) => one.group === group).map(sectionOf)].join(
        '\n\n',
      ),
    )
    .join('\n\n')

/** Lists the options of all commands. */
export const globalOptions = (): string => `\`\`\`text\n${pageOf('options', program).trim()}\n\`\`\``

export const exitCodes = (): string => `\`\`\`text\n${pageOf('exit-codes', program).trim()}\n\`\`\``

function sectionOf(one: (typeof commands)[number]): string {
  const { command, summary, arguments: args, options, effect, needs, examples } = one
  const terms = args.map(({ name, required, repeatable }) => {
    const whole = `${name}${repeatable ? '...' : ''}`
    return required ? `<${whole}>` : `[${whole}]`
  })
  const usage = [`sandbox ${command}`, ...terms].join(' ')
  const flags = options.map(({ option, value }) => `\`${option}${value === null ? '' : ` <${value}>`}\``)
  const marks = [...(effect === 'reads' ? [] : [effect]), ...(needs === 'service' ? [] : [NEEDS[needs]])]
  // Some commands show first what must precede them.
  const example = examples.find((one) => one.startsWith(`sandbox ${command}`)) ?? examples[0]
  return [
    `### \`${usage}\``,
    `${summary}${marks.length > 0 ? ` (${marks.join('; ')})` : ''}${example && example !== usage ? `: \`${example}\`` : '.'}`,
    ...(flags.length > 0 ? [`Options: ${flags.join(' ')}`] : []),
  ].join('\n\n')
}

const NEEDS = { sandbox: 'sandbox only', nothing: 'calls no service' } as const
