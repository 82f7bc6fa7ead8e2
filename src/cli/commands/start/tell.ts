import { sinceProcessStart } from '../../../http/stopwatch.ts'
import { DEFAULT_API_KEY } from '../../../words/api-key.ts'
import { DEFAULT_PORT } from '../../../words/default-url.ts'
import type { Pace } from '../../../words/pace.ts'
import { shellPath } from '../../../words/shell.ts'
import { VERSION } from '../../../words/version.ts'
import type { Output } from '../../output/output.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'
import { clockLine } from './clock.ts'
import type { StartOptions } from './options.ts'

/** What a start warns of, also as a line of its report. */
export interface StartWarning extends Record<string, unknown> {
  warning: string
  message: string
  hint?: string
}

/** What a start continues from: a snapshot, or an existing data folder. */
const keeperOf = ({ snapshot, data }: StartOptions) =>
  snapshot === undefined
    ? { keeper: data, otherwise: 'use another --data folder' }
    : { keeper: snapshot, otherwise: 'start without --snapshot' }

/** Warns that what the start continues from keeps its world and ignores --world. */
export function warnOtherWorld(madeFrom: string, options: StartOptions, output: Output) {
  const { world } = options
  const { keeper, otherwise } = keeperOf(options)
  const message = `${keeper} keeps its world, which was made from ${madeFrom}. New namespaces and resets use ${world}.`
  const hint = `To use one world for all, start with --world ${shellPath(madeFrom)}, or reset: sandbox world reset. For a new world, ${otherwise}.`
  output.warn({ warning: 'other_world', message, hint })
}

/** Warns that what the start continues from keeps what its world file contained before. */
export function warnEditedWorld(options: StartOptions, output: Output) {
  const { world } = options
  const message = `${keeperOf(options).keeper} keeps its world, which was made from ${world} before that file was edited. New namespaces and resets use the edited file.`
  const hint = 'To apply the file: sandbox world reset. It discards the messages of the world.'
  output.warn({ warning: 'edited_world', message, hint })
}

/** Warns that the clock of what the start continues from keeps its time, because --now is earlier. */
export function warnKeptTime(keptTime: string, options: StartOptions, output: Output) {
  const { keeper, otherwise } = keeperOf(options)
  const message = `--now ${options.now} is ignored: the clock of ${keeper} is at ${keptTime}, and time does not run backwards.`
  const hint = `To begin earlier, ${otherwise}, or reset the world: sandbox world reset`
  output.warn({ warning: 'kept_time', message, hint })
}

/** Warns that a power cut of the database server loses what was acknowledged. */
export function warnNotDurable(output: Output) {
  const message =
    'PostgreSQL runs with fsync or full_page_writes off: a power cut of its machine loses data that was acknowledged.'
  const hint = 'Set both to on in postgresql.conf.'
  output.warn({ warning: 'postgres_not_durable', message, hint })
}

/** The facts of an emulator that its lines of readiness show. */
interface StartedEmulator {
  url: string
  port: number
  /** The control token; undefined if the user knows it. */
  token: string | undefined
  /** The data folder; undefined in memory. */
  folder: string | undefined
  pace: Pace
  /** Others than this machine reach it. */
  isOpen: boolean
  /** Keys are secret. */
  isShared: boolean
  recipients: ReturnType<typeof magicTable>
}

/** The control token, which other folders and machines need. */
export const tokenLines = (token: string | undefined, paint: Paint): string[] =>
  token === undefined
    ? []
    : [`  token     ${paint.cyan(token)}  ${paint.dim('elsewhere: SANDBOX_CONTROL_TOKEN or --control-token')}`]

/** Reports that the sandbox is ready: a line for programs; address and next commands for people. */
export function tellReady(
  output: Output,
  { host, quiet, world }: StartOptions,
  { url, port, token, folder, pace, isOpen, isShared, recipients }: StartedEmulator,
) {
  const ms = Math.round(sinceProcessStart())
  const clock = clockLine(pace)
  if (isOpen && !isShared) {
    const message = `The sandbox is open to everybody who reaches ${host}:${port}; its control plane requires the token.`
    output.warn({ warning: 'open_to_network', message })
  }
  const line = {
    ready: true,
    url,
    ...(isShared ? { shared: true } : { api_key: DEFAULT_API_KEY }),
    ...(token === undefined ? {} : { control_token: token }),
    data: folder ?? null,
    pid: process.pid,
    ready_ms: ms,
    version: VERSION,
  }
  const table = output.isForPeople && !quiet ? recipients : []
  const flags = port === DEFAULT_PORT ? '' : ` --base-url ${url}`
  const first = isShared
    ? `namespaces create team-a${flags}`
    : table.length > 0
      ? `send${flags} +491713920000 --text "Your order is on its way"`
      : `world show${flags}`
  output.item(line, (paint, shown) =>
    quiet
      ? `ready at ${url}${token === undefined ? '' : `  control token ${token}`}`
      : [
          `${paint.green('✓')} ${paint.bold('messaging sandbox')} ${paint.dim(`v${VERSION} · ready in ${ms} ms`)}`,
          '',
          `  base URL  ${paint.cyan(url)}`,
          isShared
            ? `  API keys  ${paint.dim('secret: one for each namespace')}`
            : `  API key   ${paint.cyan(DEFAULT_API_KEY)}  ${paint.dim('sk_sandbox_<name> opens another world')}`,
          `  inspector ${paint.cyan(`${url}/`)}  ${paint.dim(`API documentation: ${url}/docs`)}`,
          ...tokenLines(token, paint),
          `  data      ${shown.data ?? 'in memory'}${world === 'default' ? '' : `\n  world     ${printable(world)}`}${clock ? `\n  clock     ${output.withProgramName(clock)}` : ''}`,
          '',
          ...(table.length > 0
            ? [
                `  ${paint.bold('Magic recipients')}`,
                ...table.map(([address, what]) => `  ${address.padEnd(24)}${paint.dim(what)}`),
                '',
              ]
            : []),
          `  Try       ${paint.command(first)}`,
          paint.dim('  Stop with Ctrl-C'),
        ].join('\n'),
  )
}

type Line = readonly [address: string, what: string]

/** The magic recipients used most, as far as this world has them; `sandbox world show` lists all. */
export function magicTable(recipients: unknown): readonly Line[] {
  const configured = new Set(((recipients ?? []) as { address: string }[]).map(({ address }) => address))
  return LINES.filter(([address]) => configured.has(address.split(' ')[0]!))
}

const LINES: readonly Line[] = [
  ['+491713920000', 'delivered, then read'],
  ['+491713920001', 'delivered, never read'],
  ['+491713920010', 'not RCS-capable: 404 at send'],
  ['+491713920011 … 15', 'failed: unknown user, no launch, spam, suspended, late'],
  ['+491713920020', 'phone off: expires at its ttl'],
  ['+491713920030 … 32', 'replies "Hello", taps a suggestion, replies STOP'],
  ['+491713920040 … 43', 'blocked; consent revoked, pending, none'],
  ['delivered@sandbox.test', 'also opened@, clicked@, bounced@, complained@'],
]
