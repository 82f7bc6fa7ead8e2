import { type Command, Option } from 'commander'
import { DEFAULT_API_KEY } from '../../words/api-key.ts'
import { DEFAULT_BASE_URL } from '../../words/default-url.ts'
import { parseDuration } from '../../words/milliseconds.ts'
import { FORMATS } from '../output/writers.ts'
import { parserOf } from '../process/parser-of.ts'

const DEFAULT_TIMEOUT_MS = 30_000

/** Reads `30s`, `500ms`, `5m` as milliseconds; `0` means no limit. */
export const durationFlag = parserOf(
  (text) => (text === '0' ? 0 : parseDuration(text)),
  'It must be a duration such as 500ms, 30s or 5m, or 0 for no limit.',
)

/** An option for a duration, whose help shows the default as it is typed. */
export const durationOption = (flags: string, description: string, preset: string) =>
  new Option(flags, description).argParser(durationFlag).default(durationFlag(preset), preset)

const globals = () => [
  new Option(
    '--base-url <url>',
    `address of the service (env: SANDBOX_BASE_URL) (default: the sandbox of this folder, the profile, or ${DEFAULT_BASE_URL})`,
  ),
  new Option(
    '--api-key <key>',
    `API key; sk_sandbox_<name> is the key of the namespace <name> (env: SANDBOX_API_KEY) (default: that of the profile, or ${DEFAULT_API_KEY})`,
  ),
  new Option('--profile <name>', 'profile with address and key (env: SANDBOX_PROFILE)'),
  new Option('--live', 'allow changes at a real service (env: SANDBOX_ALLOW_LIVE=1)'),
  new Option(
    '--control-token <token>',
    'token of the control plane (env: SANDBOX_CONTROL_TOKEN) (default: that in .sandbox/)',
  ),
  new Option('--timeout <duration>', 'time limit for an answer; 0 means none (default: 30s)').argParser(durationFlag),
  new Option(
    '--no-retry',
    'do not retry after 429, 502, 503, 504 or a lost connection (default: 4 tries if a call can be repeated)',
  ),
  new Option('--ca-file <file>', 'PEM file with more certificate authorities (env: NODE_EXTRA_CA_CERTS)'),
  new Option('--insecure', 'skip TLS certificate checks (test servers only)'),
  new Option('--dry-run', 'show the request and change nothing'),
  new Option('--curl', 'show the request as a curl command and change nothing'),
  new Option('--verbose', 'log requests and responses to stderr, without secrets'),
  new Option('--output <format>', 'table, json, yaml; for lists also ndjson, csv').choices(FORMATS),
  new Option('--json', 'same as --output json').conflicts('output'),
  new Option(
    '--query <expression>',
    'part of the answer, as JMESPath: messages[].id (without quotes: --output table)',
  ).conflicts('quiet'),
  new Option('--quiet', 'print ids or names only, one per line'),
  new Option('--no-color', 'switch colour off (env: NO_COLOR)'),
]

export const GROUP = 'Common options:'

/** The global options of a command that calls no service. */
export const OUTPUT_GLOBALS = ['--output', '--json', '--query', '--no-color']

/** Options that may stand before or after the command. A command's own option of the same name takes precedence. */
export function addGlobals(
  command: Command,
  { only, hidden = false }: { only?: readonly string[]; hidden?: boolean } = {},
) {
  for (const option of globals()) {
    const isDeclared = command.options.some(({ long }) => long === option.long)
    if (isDeclared || (only && !only.includes(option.long!))) continue
    option.helpGroup(GROUP)
    if (hidden) option.hideHelp()
    command.addOption(option)
  }
}

/**
 * The value of a global option at any place of the command line; the innermost wins. A command's own option of that name is ignored.
 */
function valueIn<T>(command: Command, name: string): T | undefined {
  for (let here: Command | null = command; here; here = here.parent) {
    if (here.getOptionValueSource(name) !== 'cli') continue
    const isOurs = here.options.some((option) => option.attributeName() === name && option.helpGroupHeading === GROUP)
    if (isOurs) return here.getOptionValue(name) as T
  }
  return undefined
}

/** Whether the user chose how the answer is written. */
export const choosesFormat = (command: Command): boolean =>
  ['output', 'json', 'query'].some((name) => valueIn(command, name) !== undefined)

function showingIn(command: Command): 'curl' | 'request' | undefined {
  if (valueIn(command, 'curl')) return 'curl'
  return valueIn(command, 'dryRun') ? 'request' : undefined
}

export const flagsOf = (command: Command) => ({
  baseUrl: valueIn<string>(command, 'baseUrl'),
  apiKey: valueIn<string>(command, 'apiKey'),
  profile: valueIn<string>(command, 'profile'),
  controlToken: valueIn<string>(command, 'controlToken'),
  timeoutMs: valueIn<number>(command, 'timeout') ?? DEFAULT_TIMEOUT_MS,
  retries: valueIn<boolean>(command, 'retry') !== false,
  live: valueIn<boolean>(command, 'live') ?? false,
  caFile: valueIn<string>(command, 'caFile'),
  insecure: valueIn<boolean>(command, 'insecure'),
  verbose: valueIn<boolean>(command, 'verbose') ?? false,
  showing: showingIn(command),
  query: valueIn<string>(command, 'query'),
  quiet: valueIn<boolean>(command, 'quiet') ?? false,
})
