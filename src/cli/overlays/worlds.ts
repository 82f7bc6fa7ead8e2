import type { Overlay } from '../overlay.ts'
import type { Paint } from '../paint.ts'

interface Reading {
  mode: string
  now: string
}

interface Namespace {
  name: string
  state: string
  clock: Reading | null
  next_due_at: string | null
}

interface Snapshot {
  name: string
  namespace: string
  clock: Reading
  bytes: number
}

const name = { describe: 'name of the snapshot' }
const namespace = { describe: 'name of the namespace: what follows sk_sandbox_ in its key' }

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)

/** Names in one column, so that what stands beside them can be read down. */
const aligned = (rows: readonly (readonly string[])[]) => {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? []
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

interface Reset {
  namespace: string
  scope: string
  clock: Reading
}

const putBack =
  ({ namespace, scope, clock }: Reset) =>
  (paint: Paint) =>
    `${paint.green('✓')} namespace ${paint.bold(namespace)}: ${scope === 'all' ? 'everything is' : scope === 'balance' ? 'the balance is' : `${scope} are`} as at the start; it is ${clock.now}`

export const worlds: Record<string, Overlay> = {
  'world.reset': {
    positional: ['scope'],
    examples: ['sandbox world reset', 'sandbox world reset messages'],
    forPeople: putBack,
  },
  'namespaces.list': {
    forPeople:
      ({ namespaces, max_namespaces }: { namespaces: Namespace[]; max_namespaces: number }) =>
      (paint) =>
        [
          ...aligned(
            namespaces.map(({ name, state, clock, next_due_at }) => [
              name,
              state,
              clock ? `${clock.now} (${clock.mode})` : '–',
              next_due_at ? `next ${next_due_at}` : 'nothing pending',
            ]),
          ),
          paint.dim(`${namespaces.length} of at most ${max_namespaces}`),
        ].join('\n'),
  },
  'namespaces.delete': {
    args: { name: namespace },
    forPeople:
      ({ name }: { name: string }) =>
      (paint) =>
        `${paint.green('✓')} namespace ${paint.bold(name)} is deleted`,
  },
  'namespaces.reset': {
    args: { name: namespace },
    positional: ['scope'],
    examples: ['sandbox namespaces reset suite-1', 'sandbox namespaces reset suite-1 messages'],
    forPeople: putBack,
  },
  'snapshots.save': {
    positional: ['name'],
    examples: ['sandbox snapshots save before-campaign', 'sandbox snapshots restore before-campaign'],
    forPeople:
      ({ name, clock, bytes }: Snapshot) =>
      (paint) =>
        `${paint.green('✓')} snapshot ${paint.bold(name)} of ${clock.now}, ${sizeOf(bytes)}`,
  },
  'snapshots.list': {
    forPeople:
      ({ snapshots }: { snapshots: Snapshot[] }) =>
      (paint) =>
        snapshots.length === 0
          ? paint.dim('no snapshots; sandbox snapshots save <name> makes one')
          : aligned(
              snapshots.map(({ name, namespace, clock, bytes }) => [
                name,
                `of ${namespace}`,
                `${clock.now} (${clock.mode})`,
                sizeOf(bytes),
              ]),
            ).join('\n'),
  },
  'snapshots.restore': {
    args: { name },
    forPeople:
      ({ namespace, snapshot, clock }: { namespace: string; snapshot: string; clock: Reading }) =>
      (paint) =>
        `${paint.green('✓')} ${paint.bold(namespace)} is as in ${snapshot}; it is ${clock.now}`,
  },
  'snapshots.fork': {
    args: { name },
    positional: ['namespace'],
    examples: [
      'sandbox snapshots fork before-campaign suite-1',
      'SANDBOX_API_KEY=sk_sandbox_suite-1 sandbox messages list',
    ],
    forPeople:
      ({ namespace, snapshot, api_key }: { namespace: string; snapshot: string; api_key: string }) =>
      (paint) =>
        `${paint.green('✓')} namespace ${paint.bold(namespace)} is made of ${snapshot}; its key is ${paint.cyan(api_key)}`,
  },
  'snapshots.delete': {
    args: { name },
    forPeople:
      ({ name }: { name: string }) =>
      (paint) =>
        `${paint.green('✓')} snapshot ${paint.bold(name)} is deleted`,
  },
  // commands/snapshot.ts, which reads and writes files.
  'snapshots.export': { skip: true },
  'snapshots.import': { skip: true },
}
