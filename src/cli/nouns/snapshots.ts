import { addExport } from '../commands/snapshots/export/index.ts'
import { addImport } from '../commands/snapshots/import/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import { aligned } from '../output/columns.ts'
import { sizeOf } from '../output/size.ts'

export const commands: NounCommands<'snapshots'> = {
  args: { name: { describe: 'name of the snapshot', example: 'before-campaign' } },
  notes:
    'A snapshot contains the whole world, with messages and scheduled work, but not the request log, which "restore" empties. All namespaces share the snapshots: "fork <name> <namespace>" makes a namespace of one, and "restore <name> --api-key sk_sandbox_<namespace>" replaces the state of that namespace. To another sandbox: "export <name>", then "import <file>" there, or "sandbox start --snapshot <file>". For an initial state as text that you can edit, write a world file: "sandbox world dump".',
  verbs: {
    save: {
      positional: ['name'],
      examples: ['sandbox snapshots save before-campaign', 'sandbox snapshots restore before-campaign'],
      forPeople: ({ name, clock, bytes }, paint) =>
        `${paint.green('✓')} snapshot ${paint.bold(name)} of ${clock.now}, ${sizeOf(bytes)}`,
    },
    list: {
      forPeople: ({ snapshots, damaged }, paint) =>
        snapshots.length + damaged.length === 0
          ? `No snapshots yet. To make one:  ${paint.command('snapshots save <name>')}`
          : aligned(
              [
                ...snapshots.map(({ name, namespace, clock, bytes }) => [
                  name,
                  `of ${namespace}`,
                  `${clock.now} (${clock.mode})`,
                  sizeOf(bytes),
                ]),
                ...damaged.map((name) => [
                  name,
                  'damaged',
                  `to delete it:  ${paint.command(`snapshots delete ${name}`)}`,
                  '',
                ]),
              ],
              paint,
            ).join('\n'),
    },
    restore: {
      forPeople: ({ namespace, snapshot, clock }, paint) =>
        `${paint.green('✓')} ${paint.bold(namespace)} is restored from ${snapshot}; its clock shows ${clock.now}`,
    },
    fork: {
      positional: ['namespace'],
      examples: [
        'sandbox snapshots fork before-campaign suite-1',
        'SANDBOX_API_KEY=sk_sandbox_suite-1 sandbox messages list',
      ],
      forPeople: ({ namespace, snapshot, api_key }, paint) =>
        `${paint.green('✓')} namespace ${paint.bold(namespace)} is created from ${snapshot}; its key is ${paint.cyan(api_key)}`,
    },
    delete: {
      forPeople: ({ name }, paint) => `${paint.green('✓')} snapshot ${paint.bold(name)} is deleted`,
    },
    // Hand-written below, because they write and read files.
    export: { skip: true },
    import: { skip: true },
  },
  handWritten: [addExport, addImport],
}
