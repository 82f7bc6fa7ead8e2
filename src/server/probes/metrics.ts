import { getOrAdd } from '../../words/get-or-add.ts'
import { VERSION } from '../../words/version.ts'
import type { Host } from '../../world/host.ts'

type Kind = 'counter' | 'gauge'
type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

/** Counts answers, and writes the state of the process in the text format of Prometheus, version 0.0.4. */
export class Metrics {
  /** Answers by operation and status. */
  readonly #answers = new Map<string, Map<number, number>>()

  answered(operation: string, status: number) {
    const byStatus = getOrAdd(this.#answers, operation, () => new Map())
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  }

  text(host: Host): string {
    const states = Map.groupBy(host.all(), ({ lifecycle }) => (lifecycle.isEvicted ? 'asleep' : 'open'))
    const { user, system } = process.cpuUsage()
    const answers = [...this.#answers].flatMap(([operation, byStatus]) =>
      [...byStatus].map(([status, count]): Sample => [{ operation, status: String(status) }, count]),
    )
    return [
      metric('sandbox_info', 'gauge', 'Version of the sandbox.', [[{ version: VERSION }, 1]]),
      metric('sandbox_answers_total', 'counter', 'Answered requests by operation and HTTP status.', answers),
      metric(
        'sandbox_namespaces',
        'gauge',
        'Namespaces with a world, in memory (open) or on disk (asleep).',
        (['open', 'asleep'] as const).map((state) => [{ state }, states.get(state)?.length ?? 0]),
      ),
      metric('sandbox_namespaces_max', 'gauge', 'Maximum number of namespaces.', [[{}, host.limits.most]]),
      metric('process_cpu_seconds_total', 'counter', 'User and system CPU time.', [[{}, (user + system) / 1e6]]),
      metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', [[{}, process.memoryUsage.rss()]]),
    ].join('')
  }
}

const metric = (name: string, kind: Kind, help: string, samples: readonly Sample[]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.map((sample) => line(name, sample)).join('')}`

function line(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text.replace(/["\\\n]/g, '\\$&')}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}
