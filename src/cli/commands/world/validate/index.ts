import type { Command } from 'commander'
import { Problem } from '../../../../words/problem.ts'
import { WORLD_NAMES } from '../../../../words/worlds.ts'
import type { WorldFile } from '../../../../world/file/world-file.ts'
import { abortable } from '../../../process/abortable.ts'
import { EXIT, type ExitCode } from '../../../process/exit.ts'
import { inputName } from '../../../process/files.ts'
import { type Io, readBytes } from '../../../process/io.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { OUTPUT_GLOBALS } from '../../../target/globals.ts'
import { type FileVerdict, inWords, type PlacedFault } from './tell.ts'

export function addValidate(group: Command, run: Run) {
  const command = group
    .command('validate')
    .description('Check world files without a server')
    .argument('<file...>', 'world files, or - for stdin')
    .addHelpText('after', NOTES)
  setAction(command, run, { effect: 'reads', needs: 'nothing', globals: OUTPUT_GLOBALS }, validateAll)
}

const NOTES = `
Each error is a line with file:line:column; the exit code is then 3. The smallest world file is "seed: mine"; "sandbox init" writes one
with an agent and contacts, "sandbox world dump" the current world. The JSON Schema for editors is fixtures/worlds/schema.json of the
package. Worlds of the package: ${WORLD_NAMES.join(', ')}.

Examples:
  $ sandbox world validate my-world.yaml
  $ sandbox world dump | sandbox world validate -`

async function validateAll({ io, output }: Session, [files]: [string[]]): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok
  for (const file of files) {
    const verdict = await verdictOn(io, file)
    output.item(verdict, (paint, shown) => inWords(shown, paint))
    if (!verdict.valid) exit = EXIT.configuration
  }
  return exit
}

async function verdictOn(io: Io, path: string): Promise<FileVerdict> {
  const { loadWorldFile, MAX_WORLD_BYTES, readWorld, tryWorld } = await import('../../../../server/world-source.ts')
  const file = inputName(path)
  try {
    const world =
      path === '-'
        ? await readWorld(await readBytes(io.stdin, MAX_WORLD_BYTES, io.signal), file)
        : await abortable(loadWorldFile(path, io.cwd), io, () => {})
    if (!world.image) await tryWorld(world)
    return { file, valid: true, counts: countsOf(world), errors: [] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { file, valid: false, counts: {}, errors: faultsIn(error) }
  }
}

const countsOf = ({ sections }: WorldFile) =>
  Object.fromEntries(
    Object.entries(sections).flatMap(([key, entries]) =>
      Array.isArray(entries) && entries.length > 0 ? [[key, entries.length]] : [],
    ),
  )

type Placed = Problem['details'][number] & Partial<Pick<PlacedFault, 'line' | 'column'>>

const faultsIn = ({ details, message }: Problem): PlacedFault[] =>
  details.length === 0
    ? [{ line: null, column: null, field: '', message }]
    : details.map(({ line = null, column = null, field, message }: Placed) => ({ line, column, field, message }))
