import { basename } from 'node:path'
import type { Command } from 'commander'
import { call, resultOf } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { usage } from '../exit.ts'
import { bytesIn, writeWhole } from '../files.ts'
import { nounCommand } from '../generate.ts'
import { does, type Run, type Session } from '../session.ts'

export function addSnapshotFiles(program: Command, run: Run) {
  const group = nounCommand(program, 'snapshots')
  const exporting = group
    .command('export')
    .summary('Write a snapshot to a file')
    .description('Write a snapshot to a file, whole or not at all. Secrets of the world are in it.')
    .argument('<name>', 'name of the snapshot')
    .argument('[file]', 'file to write, else <name>.db; - for stdout')
    .option('--force', 'replace a file that is there already')
    .addHelpText('after', '\nExample:\n  $ sandbox snapshots export before-campaign before-campaign.db')
  does(exporting, run, (session, [name, file], options) =>
    exportTo(session, name!, file ?? `${name}.db`, options.force === true),
  )
  const importing = group
    .command('import')
    .summary('Keep an exported file as a snapshot')
    .description('Keep an exported file as a snapshot; files of earlier releases are brought up to date.')
    .argument('<file>', 'file that was exported; - for stdin')
    .argument('[name]', 'name of the snapshot, else that of the file')
    .addHelpText('after', '\nExample:\n  $ sandbox snapshots import before-campaign.db')
  does(importing, run, (session, [file, name]) => importFrom(session, file!, name ?? nameOf(file!)))
}

async function exportTo(session: Session, name: string, file: string, force: boolean) {
  const { endpoint, io, output } = session
  if (file === '-' && output.people) throw usage('A snapshot is nothing for a terminal.', 'Name a file to write.')
  const answer = await call(endpoint, operations.snapshots.export, { name }, undefined, { signal: io.signal })
  const bytes = answer.status < 300 ? answer.body : (resultOf(answer) as Buffer)
  if (file === '-') return output.raw(bytes)
  await writeWhole(io, file, bytes, { force })
  output.data({ name, file, bytes: bytes.length }, (paint) => `${paint.green('✓')} ${paint.bold(name)} is in ${file}`)
}

async function importFrom({ endpoint, io, output }: Session, file: string, name: string) {
  const bytes = await bytesIn(io, file)
  const answer = await call(endpoint, operations.snapshots.import, { name }, bytes, { signal: io.signal })
  const snapshot = resultOf(answer) as { name: string; clock: { now: string } }
  output.data(snapshot, (paint) => `${paint.green('✓')} snapshot ${paint.bold(snapshot.name)} of ${snapshot.clock.now}`)
}

function nameOf(file: string): string {
  if (file === '-') throw usage('What is read from stdin needs a name.', 'sandbox snapshots import - <name>')
  return basename(file).replace(/\.[^.]*$/, '')
}
