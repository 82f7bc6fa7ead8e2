/** node scripts/fuzz.ts [--requests 20000] [--seed 1]: sends generated requests to an emulator and judges the answers. */
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { fuzz, type Outcome, tell } from './fuzz/run.ts'

const MAX_SHOWN = 30

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } })
const requests = Number(values.requests ?? 20_000)
const seed = Number(values.seed ?? randomInt(2 ** 31))
console.log(`seed ${seed}, ${requests} requests; repeat it with: npm run fuzz -- --seed ${seed} --requests ${requests}`)

const faults: string[] = []
const emulator = fork(new URL('./fuzz/emulator.ts', import.meta.url))
emulator.on('message', ({ fault }: { fault?: string }) => fault && faults.push(fault))
const [{ url }] = (await once(emulator, 'message')) as [{ url: string }]
const outcome = await fuzz({ url, seed, requests, onProgress: (done) => console.log(`${done} requests`) })
emulator.disconnect()

console.log(sumsOf(outcome))
for (const finding of outcome.findings.slice(0, MAX_SHOWN)) console.log(`\n${tell(finding)}`)
for (const fault of faults.slice(0, MAX_SHOWN)) console.log(`\nthe emulator noticed a bug while ${fault}`)
console.log(`\n${outcome.findings.length} findings, ${faults.length} bugs noticed by the emulator`)
process.exitCode = outcome.findings.length + faults.length > 0 ? 1 : 0

function sumsOf({ sums }: Outcome): string {
  const rows = [...sums].sort(([a], [b]) => a.localeCompare(b, 'en'))
  const width = Math.max(...rows.map(([id]) => id.length))
  const listOf = (statuses: Map<number, number>) =>
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}×${times}`)
      .join('  ')
  return rows.map(([id, statuses]) => `${id.padEnd(width)}  ${listOf(statuses)}`).join('\n')
}
