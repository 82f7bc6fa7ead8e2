import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../../words/milliseconds.ts'
import { FORMATS } from '../output/writers.ts'
import { DEFAULT_API_KEY, DEFAULT_BASE_URL } from './choice.ts'

const DEFAULT_TIMEOUT_MS = 30_000

/** Reads `30s`, `500ms`, `5m` as milliseconds; `0` means no limit. */
export function durationFlag(text: string): number {
  const ms = text === '0' ? 0 : parseDuration(text)
  if (ms === undefined)
    throw new InvalidArgumentError('It must be a duration such as 500ms, 30s or 5m, or 0 for no limit.')
  return ms
}

/** An option for a duration, whose help shows the default as it is typed. */
export const durationOption = (flags: string, description: string, preset: string) =>
  new Option(flags, description).argParser(durationFlag).default(durationFlag(preset), preset)

const globals = () => [
  new Option('--base-url <url>', `address of the service; else SANDBOX_BASE_URL, a profile, or ${DEFAULT_BASE_URL}`),
  new Option('--api-key <key>', `API key; else SANDBOX_API_KEY, a profile's, or ${DEFAULT_API_KEY}`),
  new Option('--profile <name>', 'the service that this profile names; else SANDBOX_PROFILE'),
  new Option('--live', 'let it write to a service that is not on this machine; SANDBOX_ALLOW_LIVE=1 does the same'),
  new Option(
    '--control-token <token>',
    'token of a sandbox that is open to others; else SANDBOX_CONTROL_TOKEN, else what .sandbox/ knows',
  ),
  new Option('--timeout <duration>', 'how long an answer may take; 0 waits without end (default: 30s)').argParser(
    durationFlag,
  ),
  new Option(
    '--no-retry',
    'give up at the first 429, 502, 503, 504 or broken connection; else reads, and what has an idempotency key, are tried 4 times',
  ),
  new Option('--ca-file <file>', 'trust the authorities in this PEM file too; NODE_EXTRA_CA_CERTS does the same'),
  new Option('--insecure', 'believe any certificate of the service: for a test server alone'),
  new Option('--dry-run', 'show the request that would be made, and make none that changes anything'),
  new Option('--curl', 'show that request as a curl command'),
  new Option('--verbose', 'tell of each request and answer on stderr, without secrets'),
  new Option(
    '--output <format>',
    'table for people, json, yaml, or a line for each record of a list: ndjson, csv',
  ).choices(FORMATS),
  new Option('--json', 'the same as --output json').conflicts('output'),
  new Option('--query <expression>', 'only this part of the answer, in JMESPath: messages[].id').conflicts('quiet'),
  new Option('--quiet', 'ids only, one a line'),
  new Option('--no-color', 'no colour; NO_COLOR does the same'),
]

export const GROUP = 'Options of every command:'

/** Options that may stand before or after the command. A command's own option of the same name takes precedence. */
export function addGlobals(
  command: Command,
  { only, hidden = false }: { only?: readonly string[]; hidden?: boolean } = {},
) {
  for (const option of globals()) {
    const known = command.options.some(({ long }) => long === option.long)
    if (known || (only && !only.includes(option.long!))) continue
    option.helpGroup(GROUP)
    if (hidden) option.hideHelp()
    command.addOption(option)
  }
}

/**
 * The value of a global option wherever it stands; the innermost wins. A command's own option of that name is ignored.
 */
function given<T>(command: Command, name: string): T | undefined {
  for (let here: Command | null = command; here; here = here.parent) {
    const isOurs = here.options.some((option) => option.attributeName() === name && option.helpGroupHeading === GROUP)
    if (isOurs && here.getOptionValueSource(name) === 'cli') return here.getOptionValue(name) as T
  }
  return undefined
}

function showingIn(command: Command): 'curl' | 'request' | undefined {
  if (given(command, 'curl')) return 'curl'
  return given(command, 'dryRun') ? 'request' : undefined
}

export const flagsOf = (command: Command) => ({
  baseUrl: given<string>(command, 'baseUrl'),
  apiKey: given<string>(command, 'apiKey'),
  profile: given<string>(command, 'profile'),
  controlToken: given<string>(command, 'controlToken'),
  timeoutMs: given<number>(command, 'timeout') ?? DEFAULT_TIMEOUT_MS,
  retries: given<boolean>(command, 'retry') !== false,
  live: given<boolean>(command, 'live') ?? false,
  caFile: given<string>(command, 'caFile'),
  insecure: given<boolean>(command, 'insecure'),
  verbose: given<boolean>(command, 'verbose') ?? false,
  showing: showingIn(command),
  query: given<string>(command, 'query'),
  quiet: given<boolean>(command, 'quiet') ?? false,
})
