import { basename } from 'node:path'
import type { Command } from 'commander'
import type { NounCommands } from '../generate/noun.ts'
import { aligned } from '../output/columns.ts'
import { usage } from '../process/exit.ts'
import { bytesIn, writeWhole } from '../process/files.ts'
import { callOperation } from '../session/call-operation.ts'
import { type Run, type Session, setAction } from '../session/session.ts'

const name = { describe: 'name of the snapshot' }

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)

export const commands: NounCommands<'snapshots'> = {
  verbs: {
    save: {
      positional: ['name'],
      examples: ['sandbox snapshots save before-campaign', 'sandbox snapshots restore before-campaign'],
      forPeople:
        ({ name, clock, bytes }) =>
        (paint) =>
          `${paint.green('✓')} snapshot ${paint.bold(name)} of ${clock.now}, ${sizeOf(bytes)}`,
    },
    list: {
      examples: ['sandbox snapshots list'],
      forPeople:
        ({ snapshots }) =>
        (paint) =>
          snapshots.length === 0
            ? `No snapshots yet. To make one:  ${paint.command('snapshots save <name>')}`
            : aligned(
                snapshots.map(({ name, namespace, clock, bytes }) => [
                  name,
                  `of ${namespace}`,
                  `${clock.now} (${clock.mode})`,
                  sizeOf(bytes),
                ]),
                paint,
              ).join('\n'),
    },
    restore: {
      examples: ['sandbox snapshots restore before-campaign'],
      args: { name },
      forPeople:
        ({ namespace, snapshot, clock }) =>
        (paint) =>
          `${paint.green('✓')} ${paint.bold(namespace)} is as in ${snapshot}; it is ${clock.now}`,
    },
    fork: {
      args: { name },
      positional: ['namespace'],
      examples: [
        'sandbox snapshots fork before-campaign suite-1',
        'SANDBOX_API_KEY=sk_sandbox_suite-1 sandbox messages list',
      ],
      forPeople:
        ({ namespace, snapshot, api_key }) =>
        (paint) =>
          `${paint.green('✓')} namespace ${paint.bold(namespace)} is made of ${snapshot}; its key is ${paint.cyan(api_key)}`,
    },
    delete: {
      examples: ['sandbox snapshots delete before-campaign'],
      args: { name },
      forPeople:
        ({ name }) =>
        (paint) =>
          `${paint.green('✓')} snapshot ${paint.bold(name)} is deleted`,
    },
    // Hand-written below, because they write and read files.
    export: { skip: true },
    import: { skip: true },
  },
  handWritten: [addExport, addImport],
}

function addExport(group: Command, run: Run) {
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

function addImport(group: Command, run: Run) {
  const command = group
    .command('import')
    .summary('Keep an exported file as a snapshot')
    .description('Keep an exported file as a snapshot; files of earlier releases are brought up to date.')
    .argument('<file>', 'file that was exported; - for stdin')
    .argument('[name]', 'name of the snapshot, else that of the file')
    .addHelpText('after', '\nExample:\n  $ sandbox snapshots import before-campaign.db')
  setAction(command, run, (session, [file, name]) => importFrom(session, file!, name ?? nameOf(file!)))
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

async function importFrom(session: Session, file: string, name: string) {
  const bytes = await bytesIn(session.io, file)
  const snapshot = await callOperation(session, 'snapshots.import', { params: { name }, payload: bytes })
  session.output.data(
    snapshot,
    (paint, { name, clock }) => `${paint.green('✓')} snapshot ${paint.bold(name)} of ${clock.now}`,
  )
}

function nameOf(file: string): string {
  if (file === '-') throw usage('What is read from stdin needs a name.', 'sandbox snapshots import - <name>')
  return basename(file).replace(/\.[^.]*$/, '')
}
