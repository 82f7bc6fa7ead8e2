import type { Command } from 'commander'
import { usage } from '../../../process/exit.ts'
import { writeWhole } from '../../../process/files.ts'
import { callOperation } from '../../../session/call-operation.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'

export function addExport(group: Command, run: Run) {
  const command = group
    .command('export')
    .summary('Write a snapshot to a file')
    .description('Write a snapshot to a file, whole or not at all. Secrets of the world are in it.')
    .argument('<name>', 'name of the snapshot')
    .argument('[file]', 'file to write, else <name>.db; - for stdout')
    .option('--force', 'replace a file that is there already')
    .addHelpText('after', '\nExample:\n  $ sandbox snapshots export before-campaign before-campaign.db')
  setAction(command, run, (session, [name, file], options) =>
    exportTo(session, name!, file ?? `${name}.db`, options.force === true),
  )
}

async function exportTo(session: Session, name: string, file: string, force: boolean) {
  const { io, output } = session
  if (file === '-' && output.isForPeople)
    throw usage('A snapshot is binary, so a terminal cannot show it.', 'Name a file to write.')
  const bytes = await callOperation(session, 'snapshots.export', { params: { name } })
  if (file === '-') return output.raw(bytes)
  await writeWhole(io, file, bytes, { force })
  output.data(
    { name, file, bytes: bytes.length },
    (paint, shown) => `${paint.green('✓')} ${paint.bold(shown.name)} is in ${shown.file}`,
  )
}
