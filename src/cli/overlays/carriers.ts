import type { Overlay } from '../overlay.ts'
import type { Paint } from '../paint.ts'

interface Carrier {
  name: string
  dispatch_delay: string
  delivery_delay: string
  failure_delay: string
  read_delay: string
  delivered: number
  read: number
  failed: Record<string, number>
  never_delivered: number
  outage: boolean
  throughput: number | null
  changed: string[]
  waiting: number
}

const percent = (share: number) => `${Number((share * 100).toPrecision(6))}%`

/** A carrier in a few lines; what differs from the world file is marked. */
export function carrierForPeople(carrier: Carrier, paint: Paint): string {
  const mark = (field: string, text: string) => (carrier.changed.includes(field) ? paint.yellow(`${text}*`) : text)
  const failed = Object.entries(carrier.failed).map(([reason, share]) => `${percent(share)} ${reason}`)
  const shares = [
    `delivered ${percent(carrier.delivered)}`,
    mark('failed', `failed ${failed.join(' + ') || '0%'}`),
    mark('never_delivered', `never ${percent(carrier.never_delivered)}`),
    mark('read', `read ${percent(carrier.read)}`),
  ]
  const delays = (['dispatch', 'delivery', 'failure', 'read'] as const).map((name) =>
    mark(`${name}_delay`, `${name} ${carrier[`${name}_delay`]}`),
  )
  return [
    paint.bold(carrier.name) + (carrier.outage ? `  ${paint.red('OUTAGE')}${mark('outage', '')}` : ''),
    `  ${shares.join(' · ')}`,
    `  ${delays.join(' · ')}`,
    ...(carrier.throughput === null ? [] : [`  ${mark('throughput', `throughput ${carrier.throughput}/s`)}`]),
    ...(carrier.waiting > 0 ? [paint.yellow(`  ${carrier.waiting} waiting for room`)] : []),
  ].join('\n')
}

export function carriersForPeople({ carriers: all }: { carriers: Carrier[] }) {
  return (paint: Paint): string =>
    [
      ...all.map((carrier) => carrierForPeople(carrier, paint)),
      ...(all.some(({ changed }) => changed.length > 0)
        ? [paint.dim('* not as in the world file; sandbox carriers reset <name> puts it back')]
        : []),
    ].join('\n')
}

export const carriers: Record<string, Overlay> = {
  'carriers.list': { forPeople: carriersForPeople },
  'carriers.show': { forPeople: (carrier: Carrier) => (paint) => carrierForPeople(carrier, paint) },
  // commands/carriers.ts, which reads shares, pairs of share and reason, and --all.
  'carriers.update': { skip: true },
  'carriers.updateAll': { skip: true },
  'carriers.reset': { skip: true },
  'carriers.resetAll': { skip: true },
}
