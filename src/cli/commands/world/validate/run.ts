import { Problem } from '../../../../words/problem.ts'
import type { WorldFile } from '../../../../world/file/world-file.ts'
import { EXIT, type ExitCode } from '../../../process/exit.ts'
import { inputName } from '../../../process/files.ts'
import { type Io, readBytes } from '../../../process/io.ts'
import type { Session } from '../../../session/session.ts'
import { type FileVerdict, inWords, type PlacedFault } from './tell.ts'

export async function validateAll({ io, output }: Session, files: readonly string[]): Promise<ExitCode> {
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
        : await loadWorldFile(path, io.cwd)
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
