import { resolve } from 'node:path'
import { remoteAddresses } from '../../../handlers/explore/application.ts'
import { CommandFailed } from '../../../handlers/explore/commands/failed.ts'
import { explore, SETTLE_MS, TIMEOUT_MS } from '../../../handlers/explore/explore.ts'
import type { Flow } from '../../../handlers/explore/flow.ts'
import { builtInFlows } from '../../../handlers/explore/flows/index.ts'
import type { Explored, Failure, SearchPace } from '../../../handlers/explore/options.ts'
import { type SavedApplication, testOf } from '../../../handlers/explore/saved.ts'
import { flowOf, nameOf } from '../../../handlers/explore/scenario.ts'
import { NOT_REPEATED } from '../../../handlers/explore/search.ts'
import { junitOfSearch } from '../../../handlers/report/junit.ts'
import { suggest } from '../../../words/suggest.ts'
import { WORLD_NAMES } from '../../../words/worlds.ts'
import { progressBar } from '../../output/progress.ts'
import { EXIT, type ExitCode, Fault, misconfigured, usage } from '../../process/exit.ts'
import { inputName, refuseUnwritable, textOf, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { connectionFailure, handlerUrlOf } from '../../target/handler.ts'
import { guardLive } from '../../target/live-guard.ts'
import type { ExploreFlags } from './flags.ts'
import { hasJudged, paceInWords, reportOf } from './tell.ts'

const flowNames = builtInFlows.map(({ name }) => name)

export async function exploreWith(session: Session, flags: ExploreFlags): Promise<ExitCode> {
  const { io, output } = session
  const { events, schedules, seed, timeout: timeoutMs, settle: settleMs, idle, world, port, header: headers } = flags
  const { network } = session.endpoint
  const flows = await flowsOf(session, flags)
  // Refused before minutes of exploring, not after them.
  for (const file of [flags.save, flags.saveTest])
    if (file !== undefined) await refuseUnwritable(io, file, { force: flags.force ?? false })
  if (flags.junit !== undefined) await refuseUnwritable(io, flags.junit, { force: true })
  const secret = secretIn(session, flags)
  const application = applicationOf(session, flags)
  for (const url of remoteAddresses(application)) guardLive(url, 'an application', flags.live)
  const progress = progressBar(session)
  const options = {
    ...application,
    ...{ flows, events, schedules, seed, secret, timeoutMs, settleMs, port, headers, network },
    idleSeconds: idle / 1_000,
    timeLimitMs: flags.timeLimit,
    world: worldIn(io.cwd, world),
    signal: io.signal,
    onSchedule: (played: number, flow: string, planned: number) =>
      progress.show(played / planned, `${played} of ${planned} ${flow}`),
    onPace(pace: SearchPace) {
      const message = paceInWords(pace)
      if (message) output.warn({ warning: 'time_limit', message })
    },
  }
  const explored = await explore(options)
    .catch((error) => {
      throw connectionFailure(error instanceof CommandFailed ? faultOf(error) : error, session, flags.handler)
    })
    .finally(() => progress.end())
  if (explored.failure) await save(session, flags, explored.failure)
  if (flags.junit !== undefined) {
    const end = explored.interrupted ? 'interrupted' : whyUnjudged(explored)
    await writeWhole(io, flags.junit, junitOfSearch(flags.handler.href, explored, end), { force: true, isPublic: true })
  }
  output.data(explored, (paint) => reportOf(explored, flags, paint))
  return exitCodeOf(explored)
}

export function exitCodeOf(explored: Explored): ExitCode {
  if (explored.interrupted) return EXIT.interrupted
  if (explored.failure) return EXIT.expectation
  // A search that was too short to test anything, or to repeat a failure, must not pass in CI.
  return whyUnjudged(explored) === undefined ? EXIT.ok : EXIT.timedOut
}

function whyUnjudged(explored: Explored): string | undefined {
  if (!explored.out_of_time) return undefined
  if (explored.unsettled === NOT_REPEATED) return `The time limit was too short: ${NOT_REPEATED}.`
  return hasJudged(explored) ? undefined : 'The time limit was too short for one flow.'
}

/** A URL, or a port with a path, is called; everything else is run as a command. */
const isUrl = (text: string) => /^(https?:\/\/|localhost[:/]|127\.\d|\[::1\]|\d+\/)\S*$/.test(text)

function applicationOf({ io: { cwd, env } }: Session, { handler, truth, ...flags }: ExploreFlags) {
  const command = (line: string) => ({ command: line, cwd, env })
  const lever = (text: string) => (isUrl(text) ? handlerUrlOf(text).href : command(text))
  const ifSet = <T>(text: string | undefined, of: (text: string) => T) => (text === undefined ? undefined : of(text))
  return {
    handler: handler.href,
    truth: lever(truth),
    start: ifSet(flags.start, command),
    reset: ifSet(flags.reset, lever),
    restart: ifSet(flags.restart, lever),
    rotate: ifSet(flags.rotate, lever),
  }
}

function faultOf({ code, message, hint }: CommandFailed): Fault {
  return new Fault(message, { code, exit: code === 'not_started' ? EXIT.unreachable : EXIT.configuration, hint })
}

const worldIn = (cwd: string, world: string) =>
  (WORLD_NAMES as readonly string[]).includes(world) ? world : resolve(cwd, world)

async function flowsOf({ io }: Session, { flows, scenario }: ExploreFlags): Promise<(Flow | string)[] | undefined> {
  for (const name of flows ?? [])
    if (!flowNames.includes(name))
      throw usage(`Unknown flow "${name}"${suggest(name, flowNames)}`, `Flows: ${flowNames.join(', ')}.`)
  if (scenario === undefined) return flows
  const read = scenario.map(async (file) => flowOf(await textOf(io, file), inputName(file)))
  return [...(flows ?? []), ...(await Promise.all(read))]
}

/** An application that is started here gets a new secret, so that no older process can be taken for it. */
function secretIn({ io }: Session, { secret, start }: ExploreFlags): string | undefined {
  const knownSecret = secret ?? (start === undefined ? io.env.SANDBOX_WEBHOOK_SECRET || undefined : undefined)
  if (knownSecret === undefined && start === undefined)
    throw misconfigured(
      'The secret of the handler is missing.',
      'Pass --secret or set SANDBOX_WEBHOOK_SECRET; with --start the application gets a new one.',
    )
  return knownSecret
}

async function save(session: Session, flags: ExploreFlags, failure: Failure) {
  const { io, endpoint } = session
  const { save, saveTest, force = false } = flags
  const write = (file: string, text: string) => writeWhole(io, file, text, { force, isPublic: true })
  if (save !== undefined) await write(save, failure.scenario)
  const { authorities, insecure } = endpoint.network ?? {}
  const application: SavedApplication = {
    ...applicationOf(session, flags),
    events: flags.events,
    headers: flags.header && Object.keys(flags.header),
    scenario: flags.scenario?.find((file) => nameOf(file) === failure.flow),
    world: flags.world === 'default' ? undefined : flags.world,
    port: flags.port,
    timeoutMs: flags.timeout === TIMEOUT_MS ? undefined : flags.timeout,
    settleMs: flags.settle === SETTLE_MS ? undefined : flags.settle,
    network: authorities === undefined && !insecure ? undefined : { authorities, insecure },
  }
  const title = `${failure.flow}: ${failure.findings[0]!.code}`
  if (saveTest === undefined) return
  // The test is JavaScript, whose types a strict TypeScript project would refuse.
  const head = /\.[cm]?tsx?$/.test(saveTest) ? '// @ts-nocheck\n' : ''
  await write(saveTest, head + testOf(failure.schedule, title, application))
}
