import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Failure } from '../../src/handlers/explore/options.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import {
  FIXED,
  type Framework,
  failedChecks,
  fixedVersionOf,
  PLANTED,
  type Shops,
  seek,
  startShops,
} from './handlers.ts'

/** The results for the planted bugs of one framework. */
export interface Tally {
  planted: number
  found: number
  /** The number of smallest schedules that are still large. */
  large: number
  /** The times until each bug was found and its schedule was small. */
  findMs: number[]
  repeats: number
  repeated: number
  /** The number of saved tests and scenarios, and of those that fail before the fix and pass after it. */
  saved: number
  useful: number
  alarms: number
  /** Schedules played against the fixed application. */
  schedules: number
  ms: number
  /** The failures, in words. */
  complaints: string[]
}

const MAX_DELIVERIES = 4
const REPEATS = 20
const FIXED_SCHEDULES = 120

/** Runs in a process of its own, because the frameworks are tested in parallel. */
export async function tallyOf(framework: Framework): Promise<Tally> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), framework], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [tally] = await Promise.all([json(child.stdout) as Promise<Tally>, once(child, 'close')])
  return tally
}

async function tally(framework: Framework): Promise<Tally> {
  const shops = await startShops(framework)
  const sums: Tally = {
    planted: 0,
    found: 0,
    large: 0,
    findMs: [],
    repeats: 0,
    repeated: 0,
    saved: 0,
    useful: 0,
    alarms: 0,
    schedules: 0,
    ms: 0,
    complaints: [],
  }
  if (!shops) return { ...sums, complaints: [`${framework} is not installed`] }
  for (const bug of PLANTED[framework]) await hunt(shops, bug, sums)
  await acquit(shops, sums)
  await shops.stop()
  return sums
}

async function hunt(shops: Shops, bug: string, sums: Tally) {
  const from = performance.now()
  const { by, deliveries, explored } = await seek(shops.application(bug))
  sums.findMs.push(performance.now() - from)
  sums.planted++
  if (by === 'nothing') return void sums.complaints.push(`${bug} was not found`)
  sums.found++
  if (deliveries > MAX_DELIVERIES) sums.large++
  const failure = explored?.failure
  for (let i = 0; failure && i < REPEATS; i++) {
    const again = await explore({ ...shops.application(bug), seed: failure.seed })
    sums.repeats++
    if (again.failure?.story === failure.story) sums.repeated++
    else sums.complaints.push(`${bug} was another thing in repetition ${i + 1}:\n${again.failure?.story ?? 'nothing'}`)
  }
  if (failure) await keep(shops, bug, failure, sums)
}

/** Plays what is saved, as a test and as a scenario, before and after the fix. */
async function keep(shops: Shops, bug: string, { schedule, scenario }: Failure, sums: Tally) {
  for (const saved of [{ schedule }, { flows: [flowOf(scenario, `${bug}.yaml`)] }]) {
    const [before, after] = [
      await explore({ ...shops.application(bug), ...saved }),
      await explore({ ...shops.application(fixedVersionOf(bug)), ...saved }),
    ]
    sums.saved++
    if (before.failure && !after.failure) sums.useful++
    else sums.complaints.push(`${bug}, saved: ${before.failure ? after.failure?.story : 'passed before the fix'}`)
  }
}

async function acquit(shops: Shops, sums: Tally) {
  const from = performance.now()
  const { schedules, failure } = await explore({ ...shops.application(FIXED), schedules: FIXED_SCHEDULES })
  sums.ms = performance.now() - from
  sums.schedules = schedules
  const failed = await failedChecks(shops.application(FIXED))
  sums.alarms = (failure ? 1 : 0) + failed.length
  if (sums.alarms > 0) sums.complaints.push(`the fixed version was blamed: ${failure?.story ?? ''} ${failed.join(' ')}`)
}

if (import.meta.main) console.log(JSON.stringify(await tally(process.argv[2] as Framework)))
