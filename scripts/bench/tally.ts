import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { explore } from '../../src/handlers/explore/explore.ts'
import { EARLIER_RUN } from '../../src/handlers/explore/failure.ts'
import { isSameFinding } from '../../src/handlers/explore/finding.ts'
import type { Failure } from '../../src/handlers/explore/options.ts'
import { testOf } from '../../src/handlers/explore/saved.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import {
  ENVIRONMENT,
  FIXED,
  type Framework,
  failedChecks,
  fixedVersionOf,
  PLANTED,
  type Shops,
  seek,
  startShops,
} from './handlers.ts'

/** The results for one planted bug. */
export interface Hunt {
  bug: string
  /** The code of the finding or the name of the check; undefined if it was not found. */
  found: string | undefined
  /** The search and the reduction. */
  wallMs: number
  cpuMs: number
  schedules: number
  /** Disturbances of the smallest schedule. */
  disturbances: number
  /** Repetitions by the seed: all, those with the same finding, and those with the same report. */
  repeats: number
  sameFinding: number
  sameReport: number
  /** What is saved fails before the fix and passes after it. Undefined for what a check finds. */
  scenario?: boolean
  test?: boolean
}

/** The results for one framework. */
export interface Tally {
  hunts: Hunt[]
  alarms: number
  /** Schedules a minute against the fixed application. */
  perMinute: number
  /** What did not hold, in words. */
  complaints: string[]
}

const FIXED_SCHEDULES = 120

/** Undefined for a framework that is not installed. */
export async function tallyOf(framework: Framework, repeats: number): Promise<Tally | undefined> {
  const shops = await startShops(framework)
  if (!shops) return undefined
  const tally: Tally = { hunts: [], alarms: 0, perMinute: 0, complaints: [] }
  const failures = new Map<string, Failure>()
  for (const bug of PLANTED[framework]) {
    const failure = await hunt(shops, bug, repeats, tally)
    if (failure) failures.set(bug, failure)
  }
  await runTests(shops, failures, tally)
  await acquit(shops, tally)
  await shops.stop()
  return tally
}

async function hunt(shops: Shops, bug: string, repeats: number, tally: Tally): Promise<Failure | undefined> {
  const [from, cpu] = [performance.now(), process.cpuUsage()]
  const { code, explored } = await seek(shops.application(bug))
  const { user, system } = process.cpuUsage(cpu)
  const result: Hunt = {
    ...{
      bug,
      found: code,
      schedules: explored.schedules,
      disturbances: explored.failure?.schedule.perturbations.length ?? 0,
    },
    ...{ wallMs: Math.round(performance.now() - from), cpuMs: Math.round((user + system) / 1_000) },
    ...{ repeats: 0, sameFinding: 0, sameReport: 0 },
  }
  tally.hunts.push(result)
  const { failure } = explored
  if (!failure) {
    if (!code) tally.complaints.push(`${bug} was not found`)
    return undefined
  }
  const application = shops.application(bug)
  while (result.repeats < repeats) {
    const { failure: again } = await explore({ ...application, idleSeconds: 0, seed: failure.seed })
    result.repeats++
    if (again?.findings.some((finding) => isSameFinding(finding, failure.findings[0]!))) result.sameFinding++
    // The repetition meets the people of the search.
    if (again?.story.replace(`\n  → ${EARLIER_RUN}`, '') === failure.story) result.sameReport++
    else
      tally.complaints.push(
        `${bug}, seed ${failure.seed}, repetition ${result.repeats}:\n${failure.story}\nthen:\n${again?.story ?? 'nothing'}`,
      )
  }
  const flows = [flowOf(failure.scenario, `${bug}.yaml`)]
  const before = await explore({ ...application, flows })
  const after = await explore({ ...shops.application(fixedVersionOf(bug)), flows })
  result.scenario = before.failure !== null && after.failure === null
  if (!result.scenario)
    tally.complaints.push(
      `${bug}, saved scenario: ${before.failure ? `failed after the fix: ${after.failure!.story}` : 'passed before the fix'}\n${failure.scenario}`,
    )
  return failure
}

/** Runs the saved tests of all failures in vitest, before and after the fix. */
async function runTests(shops: Shops, failures: ReadonlyMap<string, Failure>, tally: Tally) {
  const before = await runTestsOf(shops, failures, (bug) => bug)
  const after = await runTestsOf(shops, failures, fixedVersionOf)
  for (const [bug, { findings }] of failures) {
    const [message, alarm] = [before.get(bug), after.get(bug)]
    const isRight = message?.includes(`✗ ${findings[0]!.code}`) && alarm === undefined
    tally.hunts.find((one) => one.bug === bug)!.test = isRight === true
    if (!isRight)
      tally.complaints.push(
        `${bug}, saved test: ${alarm ? `failed after the fix: ${alarm}` : `before the fix: ${message ?? 'passed'}`}`,
      )
  }
}

/** Returns the messages of the tests that failed, by bug. As in a project of a user, where the package is installed. */
async function runTestsOf(
  shops: Shops,
  failures: ReadonlyMap<string, Failure>,
  versionOf: (bug: string) => string,
): Promise<Map<string, string>> {
  const dir = await mkdtemp(join(tmpdir(), 'saved-'))
  const root = fileURLToPath(new URL('../../', import.meta.url))
  await mkdir(join(dir, 'node_modules'))
  await symlink(root, join(dir, 'node_modules/messaging-sandbox'))
  await symlink(join(root, 'node_modules/vitest'), join(dir, 'node_modules/vitest'))
  for (const [bug, { flow, schedule, findings }] of failures) {
    const text = testOf(schedule, `${flow}: ${findings[0]!.code}`, shops.saved(versionOf(bug)))
    await writeFile(join(dir, `${bug}.test.mjs`), text)
  }
  const argv = ['run', '--root', dir, '--no-file-parallelism', '--no-isolate', '--reporter=json', '--outputFile=out']
  const env = { ...process.env, ...ENVIRONMENT, VITEST: undefined }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // It exits with 1 where a test fails.
  await promisify(execFile)(process.execPath, [vitest, ...argv], { cwd: dir, env }).catch(() => {})
  const { testResults } = JSON.parse(await readFile(join(dir, 'out'), 'utf8')) as { testResults: FileResult[] }
  await rm(dir, { recursive: true })
  if (testResults.length < failures.size) throw new Error('vitest did not run all saved tests.')
  return new Map(
    testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, message, assertionResults }) => [
        basename(name, '.test.mjs'),
        [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].join('\n'),
      ]),
  )
}

interface FileResult {
  name: string
  status: string
  message: string
  assertionResults: { failureMessages: string[] }[]
}

async function acquit(shops: Shops, tally: Tally) {
  const from = performance.now()
  const { schedules, failure } = await explore({ ...shops.application(FIXED), schedules: FIXED_SCHEDULES })
  tally.perMinute = (schedules / (performance.now() - from)) * 60_000
  const failed = await failedChecks(shops.application(FIXED))
  tally.alarms = (failure ? 1 : 0) + failed.length
  if (tally.alarms > 0)
    tally.complaints.push(`the fixed version was blamed: ${failure?.story ?? ''} ${failed.join(' ')}`)
}
