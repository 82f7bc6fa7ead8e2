import type { Command } from 'commander'
import { WORLD_NAMES } from '../../../../words/worlds.ts'
import { setFacts } from '../../../help/facts.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { OUTPUT_GLOBALS } from '../../../target/globals.ts'
import { validateAll } from './run.ts'

export function addValidate(group: Command, run: Run) {
  const command = group
    .command('validate')
    .description('Check world files without a server')
    .argument('<file...>', 'world files, or - for stdin')
    .addHelpText('after', NOTES)
  setFacts(command, { effect: 'reads', needs: 'nothing' })
  setAction(command, run, (session, [files]) => validateAll(session, files as unknown as string[]), {
    globals: OUTPUT_GLOBALS,
  })
}

const NOTES = `
Each error is a line with file:line:column; the exit code is then 3. The smallest world file is "seed: mine"; "sandbox init" writes one
with an agent and contacts, "sandbox world dump" the current world. The JSON Schema for editors is fixtures/worlds/schema.json of the
package. Worlds of the package: ${WORLD_NAMES.join(', ')}.

Examples:
  $ sandbox world validate my-world.yaml
  $ sandbox world dump | sandbox world validate -`
