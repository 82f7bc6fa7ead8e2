import type { ClientOptions } from '../../../client/call.ts'
import { withOwnKey } from '../../../client/own-key.ts'
import { exchange } from '../../../http/exchange.ts'
import type { Drift } from '../../../scenarios/drift/compare.ts'
import { type Probe, probesFor } from '../../../scenarios/drift/probes.ts'
import { type Answers, answersOf, type Comparison, compare } from '../../../scenarios/drift/run.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'
import { EXIT, type ExitCode, usage } from '../../process/exit.ts'
import { objectIn, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { allowsLive } from '../../target/live-guard.ts'
import type { DriftFlags } from '../drift.ts'

/** What was kept of a run. */
interface Kept {
  service: string
  live: boolean
  sends: boolean
  answers: Answers
}

export async function drift(session: Session, flags: DriftFlags & { live?: boolean }): Promise<ExitCode> {
  const { io, output } = session
  if ((flags.agent === undefined) !== (flags.to === undefined)) throw usage('Give --agent and --to, both or none.')
  const kept =
    flags.replay === undefined ? await asked(session, flags) : ((await objectIn(io, flags.replay)) as unknown as Kept)
  const probes = probesFor(kept)
  const emulator = await answersOf({ target: emulatorOf(session, flags), vars: DEFAULT_WORLD }, probes)
  if (flags.record !== undefined)
    await writeWhole(io, flags.record, Buffer.from(`${JSON.stringify(kept, null, 2)}\n`), {
      force: flags.force ?? false,
    })
  const comparison = compare(probes, emulator, kept.answers)
  output.data({ service: kept.service, ...comparison }, (paint) => inWords(comparison, kept, paint))
  return comparison.differences.length > 0 ? EXIT.expectation : EXIT.ok
}

/** What the default world knows. */
const DEFAULT_WORLD = { agent: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920050' }

async function asked(
  { endpoint, io }: Session,
  { live: isLive = false, agent, to }: DriftFlags & { live?: boolean },
): Promise<Kept> {
  const live = isLive || allowsLive(io.env)
  const sends = live && agent !== undefined
  const target = { endpoint, isEmulator: false, signal: io.signal }
  const probes: readonly Probe[] = probesFor({ live, sends })
  const answers = await answersOf({ target, vars: sends ? { agent, to } : {} }, probes)
  return { service: endpoint.baseUrl, live, sends, answers }
}

function emulatorOf({ io, endpoint }: Session, { emulator, emulatorKey }: DriftFlags) {
  const options: ClientOptions = {
    baseUrl: emulator,
    apiKey: emulatorKey,
    timeoutMs: endpoint.timeoutMs,
    send: withOwnKey(({ request }) => exchange(request)),
  }
  return { endpoint: options, isEmulator: true, signal: io.signal }
}

function inWords({ compared, differences, left_out }: Comparison, { service }: Kept, paint: Paint): string {
  const lines = [...Map.groupBy(differences, ({ operation, section }) => `${operation} (§${section})`)].flatMap(
    ([operation, found]) => [paint.bold(operation), ...found.map((one) => `  ${lineOf(one)}`)],
  )
  const left = left_out.length > 0 ? paint.dim(`, ${left_out.length} could not be asked of both`) : ''
  const count = differences.length === 1 ? 'one difference' : `${differences.length} differences`
  const sum = differences.length === 0 ? `${paint.green('✓')} no difference` : `${paint.red('✗')} ${count}`
  return [...lines, `${sum} between ${service} and the emulator in ${compared} answers${left}`].join('\n')
}

const lineOf = ({ probe, what, path, emulator, service }: Drift) =>
  printable(`${probe}: ${path ? `${what} ${path}` : what} is ${service} there, and ${emulator} here`)
