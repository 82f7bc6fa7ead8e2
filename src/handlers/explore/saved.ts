import type { ConnectionSettings } from '../../http/request.ts'
import type { SavedSchedule } from '../../scenarios/deliveries.ts'

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

/** A URL, or a shell command. */
export type Lever = { url: string } | { command: string }

/** The application, as a saved test reaches it. */
export interface SavedApplication {
  handler: string
  truth: Lever
  /** The start command. */
  start?: string | undefined
  reset?: Lever | undefined
  restart?: Lever | undefined
  rotate?: Lever | undefined
  events?: readonly string[] | undefined
  /** Names of additional headers; their values are secrets, and stay out of the file. */
  headers?: readonly string[] | undefined
  /** The scenario file of the flow, if any. */
  scenario?: string | undefined
  world?: string | undefined
  /** Port of the sandbox, where an application that is not started here finds it. */
  port?: number | undefined
  timeoutMs?: number | undefined
  settleMs?: number | undefined
  /** The certificates of the connection; proxies belong to the machine. */
  network?: Pick<ConnectionSettings, 'authorities' | 'insecure'> | undefined
}

/** A race is played until it has passed often enough, which takes minutes on a busy machine; vitest's own limit is 5 s. */
const TEST_TIMEOUT_MS = 300_000

/** Writes a vitest test that fails as long as the handler does. */
export function testOf(saved: SavedSchedule, title: string, application: SavedApplication): string {
  const { start, handler, network } = application
  const fields = fieldsOf(saved, application).map(([name, code]) => `    ${name}${code === name ? '' : `: ${code}`},`)
  const options = fields.join('\n')
  return `${importsOf(options, start !== undefined)}
${start === undefined ? '' : starting(start, handler, network !== undefined)}
test(${quoted(title)}, { timeout: ${TEST_TIMEOUT_MS} }, async () => {
  const { failure } = await explore({
${options}
  })
  if (failure) expect.fail(failure.story)
})
`
}

type Field = [name: string, code: string | undefined]

function fieldsOf(saved: SavedSchedule, application: SavedApplication): [name: string, code: string][] {
  const { handler, truth, start, reset, restart, rotate, events, headers, scenario, world, network, ...numbers } =
    application
  const starts = start !== undefined
  const needs = (kind: string) => saved.perturbations.some((perturbation) => perturbation.kind === kind)
  const all: Field[] = [
    ['handler', quoted(handler)],
    ['truth', leverOf(truth, starts, { take: (run) => `JSON.parse(${run})` })],
    ['secret', starts ? undefined : 'process.env.SANDBOX_WEBHOOK_SECRET'],
    ['start', starts ? 'start' : undefined],
    ['ended', starts ? 'ended' : undefined],
    ['reset', reset && leverOf(reset, starts)],
    ['restart', needs('restart') || needs('kill') ? (restart ? leverOf(restart, starts) : '() => start()') : undefined],
    ['kill', needs('kill') ? 'stop' : undefined],
    ['rotate', needs('rotation') && rotate ? leverOf(rotate, starts, { needsSecret: true }) : undefined],
    ['events', events && JSON.stringify(events)],
    ['headers', headers && headersOf(headers)],
    ['flows', scenario === undefined ? undefined : `[${quoted(scenario)}]`],
    ['world', world && quoted(world)],
    ...(['port', 'timeoutMs', 'settleMs'] as const).map((name): Field => [name, numbers[name]?.toString()]),
    ['network', network && JSON.stringify(network)],
    ['schedule', JSON.stringify(saved, null, 2).replace(/\n/g, '\n    ')],
  ]
  return all.filter((field): field is [string, string] => field[1] !== undefined)
}

function importsOf(body: string, starts: boolean): string {
  const fromShell = [...(body.includes('execSync') ? ['execSync'] : []), ...(starts ? ['spawn'] : [])]
  return [
    ...(fromShell.length > 0 ? [`import { ${fromShell.join(', ')} } from 'node:child_process'`] : []),
    ...(starts ? ["import { once } from 'node:events'", "import { setTimeout } from 'node:timers/promises'"] : []),
    "import { explore } from 'messaging-sandbox'",
    `import { ${starts ? 'afterAll, ' : ''}expect, test } from 'vitest'`,
    '',
  ].join('\n')
}

/** `Authorization` is read from `HANDLER_AUTHORIZATION`. */
const headersOf = (names: readonly string[]) =>
  `{ ${names.map((name) => `${quoted(name)}: process.env.HANDLER_${name.toUpperCase().replace(/\W/g, '_')}`).join(', ')} }`

/** Starts the application in a process group, so that all of it can be killed. */
const starting = (command: string, handler: string, hasCertificates: boolean) => `let application
let env

async function stop() {
  if (!application || application.exitCode !== null || application.signalCode !== null) return
  process.kill(-application.pid, 'SIGKILL')
  if (application.exitCode === null && application.signalCode === null) await once(application, 'exit')
}

const isListening = () => fetch(${quoted(handler)}).then(() => true, ${hasCertificates ? '({ cause }) => /CERT|SIGNATURE/.test(cause?.code)' : '() => false'})

async function start({ baseUrl, apiKey, secret } = {}) {
  await stop()
  if (baseUrl && (await isListening())) throw new Error(${quoted(`Another process listens at ${handler}.`)})
  if (baseUrl) env = { ...process.env, SANDBOX_BASE_URL: baseUrl, SANDBOX_API_KEY: apiKey, SANDBOX_WEBHOOK_SECRET: secret }
  application = spawn(${quoted(command)}, { shell: true, detached: true, stdio: 'inherit', env })
  while (!ended() && !(await isListening())) await setTimeout(20)
  if (ended()) throw new Error(\`The application has ended with \${ended()}.\`)
}

const ended = () => (application.exitCode === null ? undefined : \`exit status \${application.exitCode}\`)

afterAll(stop)
`

/** A command gets the environment of the application, as it does from the explorer. */
function leverOf(lever: Lever, starts: boolean, { needsSecret = false, take = (run: string) => run } = {}): string {
  if ('url' in lever) return quoted(lever.url)
  const env = starts ? 'env' : 'process.env'
  const option = needsSecret ? `, env: { ...${env}, SANDBOX_WEBHOOK_SECRET: secret }` : starts ? ', env' : ''
  return `(${needsSecret ? 'secret' : ''}) => ${take(`execSync(${quoted(lever.command)}, { encoding: 'utf8'${option} })`)}`
}
