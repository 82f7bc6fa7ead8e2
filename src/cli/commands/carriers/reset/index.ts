import type { Command } from 'commander'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { oneOrAll } from '../one-or-all.ts'
import { tellAll, tellOne } from '../tell.ts'

export function addReset(group: Command, run: Run) {
  const command = group
    .command('reset')
    .description('Reset a simulated carrier to the world file')
    .argument('[name]', 'carrier, as "sandbox carriers list" shows it')
    .option('--all', 'all carriers instead of one')
    .addHelpText(
      'after',
      '\nPOST /_sandbox/carriers/{name}/reset; with --all: POST /_sandbox/carriers/reset\n\nExamples:\n  $ sandbox carriers reset nordfunk\n  $ sandbox carriers reset --all',
    )
  setAction(command, run, { effect: 'writes', needs: 'sandbox' }, reset)
}

async function reset(session: Session, [carrier]: [string?], { all }: { all?: boolean }) {
  const name = oneOrAll(carrier, all)
  if (name === undefined)
    tellAll(session, await callOperation(session, 'carriers.resetAll'), 'are reset to the world file')
  else
    tellOne(session, await callOperation(session, 'carriers.reset', { params: { name } }), 'is reset to the world file')
}
