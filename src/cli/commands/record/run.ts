import { logAfter } from '../../../client/pages.ts'
import { sleep } from '../../../http/sleep.ts'
import { stopwatch } from '../../../http/stopwatch.ts'
import { type RecordedRequest, type Recording, recordingOf } from '../../../scenarios/record.ts'
import { quantity } from '../../../words/number-text.ts'
import { shellPath } from '../../../words/shell.ts'
import { isPackageWorld, isWorldName } from '../../../words/worlds.ts'
import { EXIT, type ExitCode, Fault, usage } from '../../process/exit.ts'
import { refuseUnwritable, writeWhole } from '../../process/files.ts'
import { tellGap } from '../../session/connection.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export interface RecordFlags {
  out?: string
  name?: string
  since?: string
  for?: number
  force?: boolean
}

const LOOK_EVERY_MS = 500
const PAGE = 1000

export async function record(session: Session, flags: RecordFlags): Promise<ExitCode> {
  if (flags.since !== undefined && flags.for !== undefined) throw usage('Pass --since or --for, not both.')
  if (writesFile(flags.out)) await refuseUnwritable(session.io, flags.out, { force: flags.force ?? false })
  const world = await otherWorld(session)
  const requests =
    flags.since === undefined ? await requestsUntilStopped(session, flags) : await since(session, flags.since)
  const name = flags.name ?? flags.out?.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/, '') ?? 'Recorded'
  const recording = recordingOf(requests, name, world)
  if (recording.steps === 0) throw nothing()
  await write(session, recording, flags)
  return EXIT.ok
}

/** The world that the recording needs, unless it is the one in which scenarios run. */
async function otherWorld(session: Session): Promise<string | undefined> {
  const { made_from } = await callOperation(session, 'world.show', { isLookup: true })
  if (made_from === null || made_from === 'default') return undefined
  return isWorldName(made_from) && !isPackageWorld(made_from) ? `./${made_from}` : made_from
}

const nothing = () =>
  new Fault('No request was made that could become a step.', {
    code: 'nothing_recorded',
    exit: EXIT.expectation,
    hint: 'Call the sandbox with the same key while recording. To list its requests: sandbox logs',
  })

const writesFile = (out: string | undefined): out is string => out !== undefined && out !== '-'

async function requestsUntilStopped(session: Session, { for: lastsMs = 0 }: RecordFlags): Promise<RecordedRequest[]> {
  const { io, output } = session
  const { last_seq } = await callOperation(session, 'logs.list', { payload: { limit: 1 } })
  const until = lastsMs > 0 ? `for ${lastsMs / 1000} s` : 'Ctrl-C ends it'
  output.warn({ type: 'recording', after: last_seq }, (paint) => paint.dim(`recording; ${until} …`))
  // Requests made before Ctrl-C must still be read.
  const reader = { ...session, endpoint: session.endpoint, io: { ...io, signal: new AbortController().signal } }
  const requests: RecordedRequest[] = []
  const elapsed = stopwatch()
  for (let isOver = false; ; ) {
    requests.push(...(await after(reader, requests.at(-1)?.seq ?? last_seq)))
    if (isOver) return requests
    await sleep(LOOK_EVERY_MS, io.signal).catch(() => {})
    isOver = io.signal.aborted || (lastsMs > 0 && elapsed() >= lastsMs)
  }
}

type Reader = Pick<Session, 'endpoint' | 'io' | 'output'>

async function after(session: Reader, seq: number): Promise<RecordedRequest[]> {
  const payload = { after: String(seq), limit: String(PAGE), full: 'true' }
  const { requests, first_seq } = await callOperation(session, 'logs.list', { payload })
  if (first_seq > seq + 1) tellGap(session.output, { after: seq, first_seq }, 'requests')
  return requests
}

const since = (session: Session, from: string): Promise<RecordedRequest[]> =>
  Array.fromAsync(
    logAfter(
      0,
      (query) => callOperation(session, 'logs.list', { payload: { ...query, since: from, full: 'true' } }),
      (page) => page.requests,
    ),
  )

async function write({ io, output }: Session, { text, steps, left }: Recording, { out, force = false }: RecordFlags) {
  for (const { seq, route, because } of left)
    output.warn({ type: 'left_out', seq, route, because }, (paint, shown) =>
      paint.yellow(`! ${shown.route} is left out: ${shown.because}`),
    )
  if (!writesFile(out)) {
    output.raw(text)
    return
  }
  await writeWhole(io, out, text, { force })
  output.data(
    { file: out, steps, left_out: left },
    (paint, { file }) =>
      `${paint.green('✓')} ${file}: ${quantity(steps, 'steps')}. Run it with: ${paint.command(`run --fresh ${shellPath(file)}`)}`,
  )
}
