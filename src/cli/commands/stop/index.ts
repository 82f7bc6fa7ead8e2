import { isAbsolute, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { sendDirectly } from '../../../client/call.ts'
import { Unreachable } from '../../../http/exchange.ts'
import { isAlive } from '../../../http/is-alive.ts'
import { poll } from '../../../waiting/until.ts'
import { EXIT, Fault, timedOut } from '../../process/exit.ts'
import { folderBehind } from '../../process/files.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { emulatorProbe, restrictControlCalls } from '../../target/emulator-only.ts'
import { claimIn, OWNER_FILE } from '../../target/folder-claim.ts'
import { durationOption } from '../../target/globals.ts'
import { hintForSilence, type RunningSandbox, runningInWords, runningSandboxes } from '../../target/running.ts'
import { portOf } from '../start/port.ts'

interface StopOptions {
  port?: number
  data?: string
  all?: boolean
  timeout: number
}

export function add(program: Command, run: Run) {
  const command = program
    .command('stop')
    .description('Stop the sandbox of this folder, or the one at --port')
    .addOption(
      new Option('--port <port>', 'stop the sandbox on this port').argParser(portOf).conflicts(['data', 'all']),
    )
    .addOption(new Option('--data <dir>', 'stop the sandbox with this data folder').conflicts('all'))
    .option('--all', 'stop all sandboxes of this user on this machine')
    .addOption(durationOption('--timeout <duration>', 'time to wait until it has ended', '15s'))
    .addHelpText(
      'after',
      '\nPOST /_sandbox/stop\n\nExamples:\n  $ sandbox stop\n  $ sandbox stop --port 7271\n  $ sandbox stop --all',
    )
  setAction(
    command,
    run,
    { group: 'managing', effect: 'writes', needs: 'sandbox', exits: ['timedOut'], hasOwnRetries: true },
    stop,
  )
}

const LOOK_EVERY_MS = 25

/**
 * A sandbox to stop. Only the list of running sandboxes gives its pid: a data folder may be shared with a container.
 */
type Target = Pick<RunningSandbox, 'url'> & Partial<RunningSandbox>

async function stop(session: Session, _: unknown, options: StopOptions) {
  const stopped: Record<string, unknown>[] = []
  const failures: unknown[] = []
  for (const target of targetsOf(session, options)) {
    const pid = await stopOne(session, target, options).catch((error) => void failures.push(error))
    if (session.io.signal.aborted) break
    if (pid !== undefined) stopped.push({ url: target.url, pid })
  }
  if (stopped.length > 0 || failures.length === 0)
    session.output.data({ stopped }, (paint) =>
      stopped.length === 0
        ? paint.dim('no sandbox is running')
        : stopped.map(({ url, pid }) => `${paint.green('✓')} stopped ${url} ${paint.dim(`process ${pid}`)}`).join('\n'),
    )
  // With --all, the others were stopped nevertheless.
  if (failures.length > 0) throw failures[0]
}

function targetsOf({ io, endpoint }: Session, { port, data, all }: StopOptions): readonly Target[] {
  const running = runningSandboxes(io)
  if (all) return running
  if (port !== undefined) return [running.find((one) => one.port === port) ?? { url: `http://localhost:${port}` }]
  if (data === undefined) return [running.find(({ url }) => url === endpoint.baseUrl) ?? { url: endpoint.baseUrl }]
  const folder = folderBehind(resolve(io.cwd, data))
  const owner = claimIn(join(folder, OWNER_FILE))
  if (!owner) throw notRunning(`No sandbox is running with the data folder ${data}.`, running)
  return [running.find(({ pid }) => pid === owner.pid) ?? { url: owner.url, data: folder }]
}

/** Stops one sandbox and waits until its process is gone; undefined if it has already ended. */
async function stopOne({ io, endpoint }: Session, target: Target, { timeout, all }: StopOptions) {
  const { url, control_token: controlToken } = target
  // An address that is not listed is called like any other, so that the control plane stays closed to strangers.
  const isListed = target.pid !== undefined || target.data !== undefined
  // A token that was given for it counts, even if the list has another one: it may be that of a team. One in the data folder
  // may be that of an earlier start.
  const isStored = isAbsolute(endpoint.controlTokenFrom ?? '')
  const isGiven = endpoint.controlToken !== undefined && !(isStored && controlToken !== undefined)
  const isNamed = url === endpoint.baseUrl && (!isListed || isGiven)
  // Another program may have the port.
  const send = restrictControlCalls(
    url,
    emulatorProbe({ baseUrl: url, timeoutMs: timeout }, sendDirectly, io.signal),
  )(sendDirectly)
  const caller = { io, endpoint: isNamed ? endpoint : { baseUrl: url, controlToken, send } }
  try {
    const { pid } = await callOperation(caller, 'world.stop')
    const isOver = async () => (await isGone(caller, target, pid)) || undefined
    if (await poll({ everyMs: LOOK_EVERY_MS, timeoutMs: timeout, signal: io.signal }, isOver)) return pid
    throw timedOut(`The sandbox at ${target.url} has not ended within ${timeout / 1000} s.`, `Its process is ${pid}.`)
  } catch (error) {
    if (!(error instanceof Unreachable) || io.signal.aborted) throw error
    if (error.code === 'ETIMEDOUT')
      throw timedOut(`The sandbox at ${url} gives no answer.`, await hintForSilence(io, url))
    if (all) return undefined
    throw notRunning(`No sandbox is running at ${target.url}.`, runningSandboxes(io))
  }
}

type CallSession = Parameters<typeof callOperation>[0]

/** Checks whether port and data folder are free, and whether the process has ended, if it is visible. */
async function isGone(caller: CallSession, { data, pid: listed }: Target, pid: number): Promise<boolean> {
  if (data && claimIn(join(data, OWNER_FILE))?.pid === pid) return false
  if (listed === pid && pid !== process.pid) return !isAlive(pid)
  return callOperation(caller, 'world.health').then(
    () => false,
    (error) => error instanceof Unreachable,
  )
}

function notRunning(message: string, running: readonly RunningSandbox[]): Fault {
  return new Fault(message, {
    code: 'not_running',
    exit: EXIT.notFound,
    hint: running.length > 0 ? `Running: ${runningInWords(running)}. Name one with --port, or stop --all.` : undefined,
    extra: { running: running.map(({ url, data, pid }) => ({ url, data, pid })) },
  })
}
