import { basename } from 'node:path'
import type { Command } from 'commander'
import { usage } from '../../../process/exit.ts'
import { bytesIn, MAX_SNAPSHOT_BYTES, refuseIncomplete } from '../../../process/files.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'

export function addImport(group: Command, run: Run) {
  const command = group
    .command('import')
    .description('Import an exported file as a snapshot')
    .argument('<file>', 'exported file, - for stdin')
    .argument('[name]', 'name of the snapshot (default: name of the file)')
    .addHelpText(
      'after',
      '\nFiles of earlier releases are upgraded.\n\nExample:\n  $ sandbox snapshots import before-campaign.db',
    )
  setAction(
    command,
    run,
    { effect: 'writes', needs: 'sandbox' },
    (session, [file, name = nameOf(file)]: [string, string?]) => importFrom(session, file, name),
  )
}

async function importFrom(session: Session, file: string, name: string) {
  if (file !== '-') refuseIncomplete(session.io, file)
  const bytes = await bytesIn(session.io, file, MAX_SNAPSHOT_BYTES)
  const snapshot = await callOperation(session, 'snapshots.import', { params: { name }, payload: bytes })
  session.output.data(
    snapshot,
    (paint, { name, clock }) =>
      `${paint.green('✓')} snapshot ${paint.bold(name)} of ${clock.now}\n  Next  ${paint.command(`snapshots restore ${name}`)}`,
  )
}

function nameOf(file: string): string {
  if (file === '-') throw usage('A snapshot from stdin needs a name.', 'sandbox snapshots import - <name>')
  return basename(file).replace(/\.[^.]*$/, '')
}
