import { COMMAND_GROUPS } from '../../help/groups.ts'
import type { CommandTree } from '../../help/tree.ts'
import { aligned } from '../../output/columns.ts'
import type { Paint } from '../../output/paint.ts'

/** All commands below their groups, one to a line. */
export const treeForPeople = ({ commands }: CommandTree, paint: Paint): string =>
  Object.entries(COMMAND_GROUPS)
    .map(([group, about]) =>
      [
        paint.bold(`${group}: ${about}`),
        ...aligned(
          commands.filter((one) => one.group === group).map(({ command, summary }) => [`  ${command}`, summary]),
          paint,
        ),
      ].join('\n'),
    )
    .join('\n\n')
