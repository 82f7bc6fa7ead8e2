import type { Command } from 'commander'
import { Problem } from '../../../words/problem.ts'
import { WORLD_NAMES } from '../../../words/worlds.ts'
import type { WorldFile } from '../../../world/file/world-file.ts'
import { placeOf } from '../../failure/file-faults.ts'
import type { Paint } from '../../output/paint.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { type Io, readBytes } from '../../process/io.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'

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

interface Verdict {
  file: string
  valid: boolean
  /** The number of entries in each list of the file. */
  counts: Record<string, number>
  errors: Fault[]
}

interface Fault {
  line: number | null
  column: number | null
  field: string
  message: string
}

async function validateAll({ io, output }: Session, files: readonly string[]): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok
  for (const file of files) {
    const verdict = await verdictOn(io, file)
    output.item(verdict, (paint, shown) => inWords(shown, paint))
    if (!verdict.valid) exit = EXIT.configuration
  }
  return exit
}

async function verdictOn(io: Io, path: string): Promise<Verdict> {
  const { loadWorldFile, MAX_WORLD_BYTES, readWorld, tryWorld } = await import('../../../server/world-source.ts')
  const file = path === '-' ? 'stdin' : path
  try {
    const world =
      path === '-'
        ? await readWorld(await readBytes(io.stdin, MAX_WORLD_BYTES), file)
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

type Placed = Problem['details'][number] & Partial<Pick<Fault, 'line' | 'column'>>

const faultsIn = ({ details, message }: Problem): Fault[] =>
  details.length === 0
    ? [{ line: null, column: null, field: '', message }]
    : details.map(({ line = null, column = null, field, message }: Placed) => ({ line, column, field, message }))

function inWords({ file, counts, errors }: Verdict, paint: Paint): string {
  if (errors.length === 0) {
    const said = Object.entries(counts).map(([key, count]) => `${key.replaceAll('_', ' ')} ${count}`)
    return `${paint.green('✓')} ${file}${said.length > 0 ? paint.dim(`: ${said.join(', ')}`) : ''}`
  }
  return errors
    .map((fault) => {
      const { field, message } = fault
      return `${paint.red('✗')} ${[placeOf(file, fault), field && paint.bold(field), message].filter(Boolean).join(': ')}`
    })
    .join('\n')
}
