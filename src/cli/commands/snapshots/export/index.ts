import { type Command, Option } from 'commander'
import { usage } from '../../../process/exit.ts'
import { writeWhole } from '../../../process/files.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'

export function addExport(group: Command, run: Run) {
  const command = group
    .command('export')
    .description('Write a snapshot to a file')
    .argument('<name>', 'name of the snapshot')
    .argument('[file]', 'file to write, - for stdout (default: <name>.db)')
    .addOption(new Option('--out <file>', 'file to write, like the argument'))
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      '\nThe file holds the secrets of the world. It is written whole or not at all.\n\nExample:\n  $ sandbox snapshots export before-campaign before-campaign.db',
    )
  setAction(
    command,
    run,
    { effect: 'reads', needs: 'sandbox' },
    (session, [name, file]: [string, string?], { out, force }: { out?: string; force?: boolean }) => {
      if (file !== undefined && out !== undefined)
        throw usage(`The file is named twice: ${file} and --out ${out}.`, 'Name it once.')
      return exportTo(session, name, file ?? out ?? `${name}.db`, force === true)
    },
  )
}

async function exportTo(session: Session, name: string, file: string, force: boolean) {
  const { io, output } = session
  if (file === '-' && output.isForPeople)
    throw usage('A snapshot is binary, so a terminal cannot show it.', 'Name a file.')
  const bytes = await callOperation(session, 'snapshots.export', { params: { name } })
  if (file === '-') return output.raw(bytes)
  await writeWhole(io, file, bytes, { force })
  output.data(
    { name, file, bytes: bytes.length },
    (paint, shown) => `${paint.green('✓')} ${paint.bold(shown.name)} is in ${shown.file}`,
  )
}
