import type { ConnectionSettings } from '../../http/request.ts'
import type { SavedSchedule } from '../../scenarios/deliveries.ts'
import type { Command } from './application.ts'
import type { ExploreOptions } from './options.ts'

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

type Lever = string | Command

/** The application, as a saved test reaches it. */
export interface SavedApplication extends Pick<ExploreOptions, 'events' | 'world' | 'port' | 'timeoutMs' | 'settleMs'> {
  handler: string
  truth: Lever
  start?: Command | undefined
  reset?: Lever | undefined
  restart?: Lever | undefined
  rotate?: Lever | undefined
  /** Names of additional headers; their values are secrets, and stay out of the file. */
  headers?: readonly string[] | undefined
  /** The scenario file of the flow, if any. */
  scenario?: string | undefined
  /** The certificates of the connection; proxies belong to the machine. */
  network?: Pick<ConnectionSettings, 'authorities' | 'insecure'> | undefined
}

/** A race is played until it has passed often enough, which takes minutes on a busy machine; vitest's own limit is 5 s. */
const TEST_TIMEOUT_MS = 300_000

/** Writes a vitest test that fails as long as the handler does. */
export function testOf(saved: SavedSchedule, title: string, application: SavedApplication): string {
  const options = fieldsOf(saved, application).map(([name, code]) => `    ${name}: ${code},`)
  // Names a variable that is not set; the failure of a request would not.
  const checks = (application.headers ?? []).map(
    (name) => `  expect(process.env).toHaveProperty('${variableOf(name)}')\n`,
  )
  return `import { explore } from 'messaging-sandbox'
import { expect, test } from 'vitest'

test(${quoted(title)}, { timeout: ${TEST_TIMEOUT_MS} }, async () => {
${checks.join('')}  const { failure } = await explore({
${options.join('\n')}
  })
  if (failure) expect.fail(failure.story)
})
`
}

function fieldsOf(saved: SavedSchedule, application: SavedApplication): [name: string, code: string][] {
  const { handler, truth, start, reset, restart, rotate, events, headers, scenario, world, network, ...numbers } =
    application
  const needs = (kind: string) => saved.perturbations.some((perturbation) => perturbation.kind === kind)
  const all: [name: string, code: string | undefined][] = [
    ['handler', quoted(handler)],
    ['truth', leverIn(truth)],
    ['secret', start ? undefined : 'process.env.SANDBOX_WEBHOOK_SECRET'],
    ['start', start && leverIn(start)],
    ['reset', reset && leverIn(reset)],
    ['restart', restart && (needs('restart') || needs('kill')) ? leverIn(restart) : undefined],
    ['rotate', rotate && needs('rotation') ? leverIn(rotate) : undefined],
    ['events', events && JSON.stringify(events)],
    ['headers', headers && headersOf(headers)],
    ['flows', scenario === undefined ? undefined : `[${quoted(scenario)}]`],
    ['world', world && quoted(world)],
    ...(['port', 'timeoutMs', 'settleMs'] as const).map((name): [string, string | undefined] => [
      name,
      numbers[name]?.toString(),
    ]),
    ['network', network && JSON.stringify(network)],
    ['schedule', JSON.stringify(saved, null, 2).replace(/\n/g, '\n    ')],
  ]
  return all.filter((field): field is [string, string] => field[1] !== undefined)
}

/** `Authorization` is read from `HANDLER_AUTHORIZATION`. */
const variableOf = (header: string) => `HANDLER_${header.toUpperCase().replace(/\W/g, '_')}`

const headersOf = (names: readonly string[]) =>
  `{ ${names.map((name) => `${quoted(name)}: process.env.${variableOf(name)}`).join(', ')} }`

const leverIn = (lever: Lever) => (typeof lever === 'string' ? quoted(lever) : `{ command: ${quoted(lever.command)} }`)
