import { existsSync, lstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Emulator } from '../../../server/emulator.ts'
import { isLoopback } from '../../../server/guard.ts'
import { isControlToken } from '../../../words/control-token.ts'
import type { WorldFile } from '../../../world/file/world-file.ts'
import { makeDataFolder } from '../../../world/storage/private.ts'
import { reportFault } from '../../failure/report-fault.ts'
import type { Output } from '../../output/output.ts'
import { abortable, aborted } from '../../process/abortable.ts'
import { EXIT, misconfigured } from '../../process/exit.ts'
import { folderBehind } from '../../process/files.ts'
import { growNewSpace, limitMemory } from '../../process/limit-memory.ts'
import type { Session } from '../../session/session.ts'
import { DEFAULT_DATA } from '../../target/choice.ts'
import { listAsRunning } from '../../target/running.ts'
import { activityTeller } from './activity.ts'
import { detachedArguments, logFileOf, secretsOf, startDetached } from './detach.ts'
import { startFailure } from './failure.ts'
import type { StartOptions } from './options.ts'
import { snapshotBytes } from './snapshot.ts'
import { findStarter, starterEnded } from './starter.ts'
import {
  magicTable,
  tellReady,
  tokenLines,
  warnEditedWorld,
  warnKeptTime,
  warnNotDurable,
  warnOtherWorld,
} from './tell.ts'

export async function start({ io, output }: Session, options: StartOptions) {
  const folder = options.memory ? undefined : dataFolder(io, options)
  options.controlToken ??= configuredToken(io)
  // Found before the start, so that a starter that ends meanwhile is noticed.
  const starter = findStarter(io)
  const opening = open(options, folder, io, output)
  const { emulator, world } = await abortable(opening, io, (late) => late.emulator.stop())
  const { madeFrom } = emulator
  if (madeFrom.origin !== undefined && madeFrom.origin !== world.origin)
    warnOtherWorld(madeFrom.origin, options, output)
  else if (madeFrom.digest !== undefined && madeFrom.digest !== world.digest) warnEditedWorld(options, output)
  if (emulator.keptTime !== undefined) warnKeptTime(emulator.keptTime, options, output)
  if (emulator.cluster?.isDurable === false) warnNotDurable(output)
  const { url, port, controlToken } = emulator
  const unlist = listAsRunning(io, {
    cwd: io.cwd,
    url,
    port,
    pid: process.pid,
    data: folder ?? null,
    control_token: controlToken,
  })
  const over = new AbortController()
  // Its worlds are worth more than its log.
  io.dropLostOutput?.()
  // Under the limits, loading would cost a tenth more for the collection of young objects.
  limitMemory()
  const stopGrowth = growNewSpace()
  try {
    tellReady(output, options, {
      ...{ url, port, folder },
      token: options.controlToken === undefined ? controlToken : undefined,
      pace: emulator.pace,
      isOpen: options.host !== undefined && !isLoopback(options.host),
      isShared: options.shared ?? false,
      recipients: magicTable(world.sections.magic_recipients),
    })
    const starterIsGone = starterEnded(await starter, AbortSignal.any([io.signal, over.signal]))
    await Promise.race([aborted(io.signal), emulator.stopped, starterIsGone])
    if (!options.quiet) output.note((paint) => paint.dim('stopping …'))
  } finally {
    // The check of the starter must not keep the process alive.
    over.abort()
    await emulator.stop().finally(() => {
      unlist()
      stopGrowth()
    })
  }
  return EXIT.ok
}

export async function detach({ io, output }: Session, options: StartOptions, argv: readonly string[]) {
  const folder = options.memory ? undefined : dataFolder(io, options)
  const log = options.log === undefined ? logFileOf(io, folder, options.port) : resolve(io.cwd, options.log)
  const isLogged = options.quiet || options.verbose
  const launch = async () => {
    // Before the log, which stays where the start fails.
    if (folder !== undefined) makeDataFolder(folder)
    const env = { ...io.env, ...secretsOf(options) }
    return startDetached({ ...io, env }, [...detachedArguments(argv), ...(isLogged ? [] : ['--verbose'])], log)
  }
  const { ready, warnings } = await launch().catch(async (error) => {
    throw await startFailure(error, options)
  })
  for (const warning of warnings) output.warn(warning)
  output.data({ ...ready, log }, (paint, { log }) =>
    [
      `${paint.green('✓')} ${paint.bold('messaging sandbox')} runs at ${paint.cyan(ready.url)} ${paint.dim(`(process ${ready.pid})`)}`,
      ...tokenLines(ready.control_token, paint),
      `  log       ${log}`,
      `  Stop      ${paint.command(`stop --port ${new URL(ready.url).port}`)}`,
    ].join('\n'),
  )
}

/**
 * Refuses a working folder that was deleted while a shell was in it: the data would be lost. A folder that the user
 * did not name may come from a checkout, so it must not be a link.
 */
function dataFolder({ cwd }: Session['io'], { data }: StartOptions): string {
  if (!isAbsolute(data) && !existsSync(cwd))
    throw misconfigured(
      `The working folder ${cwd} was deleted, or this user has no access to it.`,
      'Go to another one, or start with --memory.',
    )
  const folder = resolve(cwd, data)
  if (data === DEFAULT_DATA && lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw misconfigured(
      `${folder} is a symbolic link, which the sandbox does not follow: a checkout can contain one.`,
      'Pass its target with --data, or remove the link.',
      { file: folder },
    )
  return folderBehind(folder)
}

function configuredToken({ env }: Session['io']): string | undefined {
  const token = env.SANDBOX_CONTROL_TOKEN || undefined
  if (token === undefined || isControlToken(token)) return token
  throw misconfigured('SANDBOX_CONTROL_TOKEN must have 16 to 200 visible ASCII characters.')
}

/** Balancers check a node each second or two, and stop sending requests to one that reports that it stops. */
const LINGER_MS = 3_000

const clusterOf = ({ cluster, node, nodeUrl, port }: StartOptions) =>
  cluster === undefined
    ? undefined
    : { postgres: cluster, name: node ?? `${hostname()}:${port}`, url: nodeUrl, lingerMs: LINGER_MS }

async function open(
  options: StartOptions,
  folder: string | undefined,
  io: Session['io'],
  output: Output,
): Promise<{ emulator: Emulator; world: WorldFile }> {
  const [{ startEmulator }, { loadWorldFile }] = await Promise.all([
    import('../../../server/emulator.ts'),
    import('../../../server/world-source.ts'),
  ])
  try {
    const world = await loadWorldFile(options.world, io.cwd)
    const emulator = await startEmulator({
      ...options,
      world,
      snapshot: await snapshotBytes(io, options.snapshot),
      folder,
      cluster: clusterOf(options),
      rateLimits: options.rateLimit,
      onActivity: options.verbose || (output.isForPeople && !options.quiet) ? activityTeller(output) : undefined,
      onFault: (error, doing) => reportFault(output, error, doing),
    })
    return { emulator, world }
  } catch (error) {
    throw await startFailure(error, options)
  }
}
