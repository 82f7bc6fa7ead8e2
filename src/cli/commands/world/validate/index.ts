import type { Command } from 'commander'
import { WORLD_NAMES } from '../../../../words/worlds.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { validateAll } from './run.ts'

export function addValidate(group: Command, run: Run) {
  const command = group
    .command('validate')
    .description('Check world files, as a start does; needs no server')
    .argument('<file...>', 'world files, or - for stdin')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [files]) => validateAll(session, files as unknown as string[]), {
    globals: ['--output', '--json', '--no-color'],
  })
}

const AFTER = `
Each fault stands on a line of its own as file:line:column, and the exit code is 3 where there is one. For editors, the
JSON Schema of world files is fixtures/worlds/schema.json of the package. With it come ${WORLD_NAMES.join(', ')}.

Examples:
  $ sandbox world validate my-world.yaml
  $ sandbox world dump | sandbox world validate -`
