/** One line of the table: a measurement, its baseline and its limit. */
export interface Row {
  what: string
  measured: string
  baseline?: string
  ratio?: string
  target?: string
  ok?: boolean
}

type Show = (value: number) => string

const rows: Row[] = []

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`
export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
export const perSecond = (value: number) => `${Math.round(value)}/s`
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

export const add = (row: Row) => void rows.push(row)

/** Adds a row with a baseline and without a target. */
export function tell(what: string, value: number, base: number, show: Show, against: string, goal?: Partial<Row>) {
  const [measured, baseline] = [show(value), `${show(base)} ${against}`]
  add({ what, measured, baseline, ratio: `${(value / base).toFixed(2)} ×`, ...goal })
}

/** Adds rows whose value must be at most, or at least, a multiple of their baseline. */
export const atMost = (what: string, value: number, base: number, factor: number, show: Show, against: string) =>
  tell(what, value, base, show, against, { target: `≤ ${factor} ×`, ok: value <= base * factor })
export const atLeast = (what: string, value: number, base: number, factor: number, show: Show, against: string) =>
  tell(what, value, base, show, against, { target: `≥ ${factor} ×`, ok: value >= base * factor })

/** Adds a row with a limit; a baseline is only shown. */
export const below = (what: string, value: number, limit: number, show: Show, baseline = '') =>
  add({ what, measured: show(value), baseline, target: `≤ ${show(limit)}`, ok: value <= limit })
export const above = (what: string, value: number, limit: number, show: Show, baseline = '') =>
  add({ what, measured: show(value), baseline, target: `≥ ${show(limit)}`, ok: value >= limit })

/** Prints all rows. The process fails if one of them misses its target. */
export function print() {
  const names = ['what', 'measured', 'baseline', 'ratio', 'target'] as const
  const lines = [
    [...names, ''],
    ...rows.map((row) => [...names.map((name) => row[name] ?? ''), row.ok === false ? 'MISSED' : 'ok']),
  ]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  for (const line of lines) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  console.log('In one run on one machine; baseline and measure side by side.')
  if (rows.some(({ ok }) => ok === false)) process.exitCode = 1
}
