import { type Command, InvalidArgumentError, Option } from 'commander'
import { isControlToken } from '../../../words/control-token.ts'
import type { Pace } from '../../../words/pace.ts'
import { WORLD_NAMES } from '../../../words/worlds.ts'
import { DEFAULT_BASE_URL } from '../../target/choice.ts'
import { instantOption, paceOption } from './clock.ts'
import { portOf } from './port.ts'

export interface StartOptions {
  port: number
  host?: string
  controlToken?: string | undefined
  allowWebhookTargets?: boolean
  memory?: boolean
  data: string
  world: string
  snapshot?: string
  clock?: Pace
  now?: string
  seed?: string
  rateLimit: boolean
  maxNamespaces?: number
  maxOpenNamespaces?: number
  quiet?: boolean
  verbose?: boolean
  detach?: boolean
  log?: string
}

export const DEFAULT_PORT = Number(new URL(DEFAULT_BASE_URL).port)

export function addStartOptions(command: Command) {
  command
    .option('--port <port>', 'port to listen on; 0 takes a free one', portOf, DEFAULT_PORT)
    .option('--host <address>', 'listen on this address too, open to others; 0.0.0.0 is all')
    .option('--allow-webhook-targets', 'send webhooks to loopback and private addresses, even with --host')
    .option(
      '--control-token <token>',
      'what callers of the control plane must send; else SANDBOX_CONTROL_TOKEN, else made where --host opens it',
      tokenOf,
    )
    .addOption(new Option('--memory', 'keep nothing on disk').conflicts('data'))
    .option('--data <dir>', 'folder to keep the data in', folderOf, '.sandbox')
    .option(
      '--world <name|file>',
      `world to begin with: ${WORLD_NAMES.join(', ')}, or the path of a world file`,
      'default',
    )
    .option(
      '--snapshot <file>',
      'go on from this file, as exec --save-on-failure and snapshots export write it; existing data is not replaced',
    )
    .option(
      '--clock <mode>',
      'real, frozen (moves only when advanced), auto (jumps to what comes next), scaled:60 (60 times as fast)',
      paceOption,
    )
    .option('--now <time>', 'where the clock starts, such as 2027-01-01T00:00Z', instantOption)
    .option('--seed <text>', 'what chance follows from; equal runs with it have equal ids')
    .option('--no-rate-limit', 'count no requests against the rate limits')
    .option(
      '--max-namespaces <n>',
      'how many namespaces there may be, each a world of its own (default: 1000)',
      countOf,
    )
    .option(
      '--max-open-namespaces <n>',
      'how many of them are kept in memory; those used longest ago sleep on disk (default: 256)',
      countOf,
    )
    .addOption(new Option('--quiet', 'say only what programs need: one line when ready').conflicts('verbose'))
    .option('--verbose', 'a line for each request, event and delivery; on a terminal that is so unless --quiet')
    .option('--detach', 'run in the background: ends when it is ready, and prints where; sandbox stop ends the sandbox')
    .addOption(
      new Option(
        '--log <file>',
        'with --detach, the file that all else is written to (default: sandbox.log in the data folder)',
      ).implies({ detach: true }),
    )
    .addHelpText(
      'after',
      '\nStopped by Ctrl-C, SIGTERM, "sandbox stop" or the end of the npx or npm that started it, it finishes the requests\nunder way and exits with 0; a second signal ends it at once.\n\nExamples:\n  $ sandbox start\n  $ sandbox start --detach\n  $ sandbox start --memory --port 0 --clock frozen\n  $ sandbox start --world low-balance --data .low-balance',
    )
}

function tokenOf(text: string): string {
  if (isControlToken(text)) return text
  throw new InvalidArgumentError('It must have 16 to 200 visible ASCII characters.')
}

function folderOf(text: string): string {
  // An unset shell variable must not spread the data over the working folder.
  if (text.trim() === '') throw new InvalidArgumentError('It must name a folder.')
  return text
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
  return Number(text)
}
