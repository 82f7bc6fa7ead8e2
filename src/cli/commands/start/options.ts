import { type Command, InvalidArgumentError, Option } from 'commander'
import { type TargetList, targetListOf } from '../../../http/target-list.ts'
import { baseUrlOf } from '../../../words/base-url.ts'
import { isControlToken } from '../../../words/control-token.ts'
import { DEFAULT_PORT } from '../../../words/default-url.ts'
import type { Pace } from '../../../words/pace.ts'
import { WORLD_NAMES } from '../../../words/worlds.ts'
import { textThat, wholeNumber } from '../../process/parser-of.ts'
import { DEFAULT_DATA } from '../../target/choice.ts'
import { instantOption, paceOption, seedOption } from './clock.ts'
import { portOf } from './port.ts'

export interface StartOptions {
  port: number
  host?: string
  controlToken?: string | undefined
  shared?: boolean
  publicUrl?: string
  allowWebhookTargets?: true | TargetList
  memory?: boolean
  data: string
  world: string
  snapshot?: string
  cluster?: string
  node?: string
  nodeUrl?: string
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

export function addStartOptions(command: Command) {
  command
    .option('--port <port>', 'port to listen on; 0 means a free one', portOf, DEFAULT_PORT)
    .option('--detach', 'run in the background')
    .addOption(
      new Option('--log <file>', 'log file of --detach (default: sandbox.log in the data folder)').implies({
        detach: true,
      }),
    )
    .addOption(new Option('--quiet', 'print one line only, when ready').conflicts('verbose'))
    .option('--verbose', 'print requests, events, deliveries (default on a terminal)')

    .optionsGroup('World and clock:')
    .option('--world <name|file>', `${WORLD_NAMES.join(', ')}, or a world file`, 'default')
    .option('--data <dir>', 'folder for the data', folderOf, DEFAULT_DATA)
    .addOption(new Option('--memory', 'keep data in memory').conflicts('data'))
    .option('--snapshot <file>', 'exported snapshot to continue from, in an empty data folder')
    .option(
      '--clock <mode>',
      'real, frozen, auto (jumps to the next scheduled work) or scaled:60 (60 times as fast)',
      paceOption,
    )
    .option('--now <time>', 'start time of the clock: 2027-01-01T00:00Z', instantOption)
    .option('--seed <text>', 'seed of ids and chance, to repeat a run', seedOption)

    .optionsGroup('Network, team and limits:')
    .option('--host <address>', 'also listen on this address; 0.0.0.0 means all')
    .option('--public-url <url>', 'URL in links, behind a proxy (default: its own)', urlOf)
    .option(
      '--allow-webhook-targets [hosts]',
      'with --host or --shared: send webhooks to private addresses too, or to these only: *.test,10.0.0.0/8',
      targetsOf,
    )
    .option('--shared', 'secret keys for a team; see docs/team.md')
    .option(
      '--control-token <token>',
      'token for the control plane (env: SANDBOX_CONTROL_TOKEN) (default: none; with --host or --shared, new)',
      tokenOf,
    )
    .option('--no-rate-limit', 'switch rate limits off')
    .option('--max-namespaces <n>', 'maximum number of namespaces (default: 1000)', countOf)
    .option('--max-open-namespaces <n>', 'maximum in memory (default: 256)', countOf)
    .addOption(
      new Option('--cluster <url>', 'PostgreSQL that shares worlds with other nodes')
        .env('SANDBOX_CLUSTER')
        .conflicts(['memory', 'snapshot']),
    )
    .option('--node <name>', 'name of this node (default: host name and port)', nodeOf)
    .option('--node-url <url>', 'URL of this node (default: from --host and --port)', urlOf)
    .addHelpText('after', NOTES)
}

const NOTES = `
Ctrl-C, SIGTERM, SIGHUP and "sandbox stop" end it with exit code 0; a second signal ends it at once. Worlds: docs/world-files.md.

Examples:
  $ sandbox start
  $ sandbox start --detach
  $ sandbox start --memory --port 0 --clock frozen
  $ sandbox start --world low-balance --data .low-balance`

const tokenOf = textThat(isControlToken, 'It must have 16 to 200 visible ASCII characters.')

function urlOf(text: string): string {
  const url = baseUrlOf(text)
  if (typeof url === 'string') return url
  throw new InvalidArgumentError(`It ${url.fault}`)
}

function targetsOf(text: string): TargetList {
  const list = targetListOf(text)
  if (typeof list === 'string') throw new InvalidArgumentError(`It ${list}.`)
  return list
}

/** An unset shell variable must not spread the data over the working folder. */
const folderOf = textThat((text) => text.trim() !== '', 'It must name a folder.')

const nodeOf = textThat(
  (text) => /^[\w.:-]{1,64}$/.test(text),
  'It must have 1 to 64 letters, digits, ".", ":", "-" or "_".',
)

const countOf = wholeNumber(1, 999_999, 'It must be a whole number from 1 to 999999.')
