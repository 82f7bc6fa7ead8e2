import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examplesOf, notesOf } from '../../src/cli/help/tree.ts'
import { EXIT } from '../../src/cli/process/exit.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Run } from '../../src/cli/session/session.ts'
import { type Emulator, startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { WORLD_NAMES } from '../../src/words/worlds.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { listen } from '../servers.ts'
import { sandboxCommand } from './terminal.ts'

const program = await createProgram([], { io: { program: 'sandbox' }, output: {}, exit: 0 } as unknown as Run)
/** Those that help hides too. */
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap((inner) => leaves(inner as Command))
const pathOf = (command: Command): string =>
  [...(command.parent?.parent ? [command.parent.name()] : []), command.name()].join(' ')
const logs = program.commands.find((command) => command.name() === 'logs') as Command
const commands = [...leaves(program), logs].map((command) => ({
  path: pathOf(command),
  notes: notesOf(command),
  examples: examplesOf(command),
}))

test.each(commands)('the help of sandbox $path has an example of itself', ({ path, examples }) => {
  expect(examples.join('\n')).toMatch(new RegExp(`sandbox (${path}|${path.split(' ').at(-1)})`))
})

test('the worlds in examples are those of the package, or files of another name', () => {
  const worlds = commands.flatMap(({ notes }) =>
    [...notes.matchAll(/^ {2}\$ .*--world (\S+)/gm)].map((match) => match[1]!),
  )
  expect(worlds).toContain('strict')
  for (const world of worlds) {
    const isOwn = (WORLD_NAMES as readonly string[]).includes(world.replace(/\.yaml$/, ''))
    expect({ world, isOwn }).toEqual({ world, isOwn: !world.endsWith('.yaml') })
  }
})

/** Commands that run until they are stopped, need a shell or a browser, or start and stop servers. */
const NOT_ALONE =
  /^(init|doctor|start|stop|exec|listen|verify-handler|explore|open|wait|expect|inbox (code|link)|events tail|logs .*--follow)| [|<>&]+ |\bwatch\b|--print|--png|--watch|--forward-to|--profile/

const lines = new Set(
  commands
    .flatMap(({ examples }) => examples)
    .flatMap((line) => (line.startsWith('sandbox ') ? [line.slice('sandbox '.length)] : []))
    .filter((line) => !NOT_ALONE.test(line)),
)

const HOSTILE = '\u001b[31m\u001b]0;title\u0007\u009b2J\u202e\n✓ paid'
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds these characters
const STEERS = /(?!\n|\r|\u001b\[(?:(?:1|2|22|3[1236]|39)m|K))[\p{Cc}\u200b\u2028\u202a-\u202e]/u

function hostile(value: unknown): unknown {
  if (typeof value === 'string') return value + HOSTILE
  if (Array.isArray(value)) return value.map(hostile)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hostile(inner)]))
}

/** Answers as the sandbox does, but each text contains control characters for the terminal. */
const service = createServer(async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const { host: _, connection: __, ...headers } = req.headers as Record<string, string>
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  const answer = await fetch(sandbox.url + req.url, { method: req.method!, headers, ...body })
  const text = Buffer.from(await answer.arrayBuffer())
  const type = answer.headers.get('content-type') ?? ''
  const isToBeHostile = type.includes('json') && text.length > 0 && req.url !== '/_sandbox/health'
  res.writeHead(answer.status, type ? { 'content-type': type } : {})
  res.end(isToBeHostile ? JSON.stringify(hostile(JSON.parse(text.toString()))) : text)
})

let sandbox: Awaited<ReturnType<typeof createSandbox>>
let hostileUrl = ''
let team: Emulator
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'frozen' })
  team = await startShared()
  hostileUrl = await listen(service)
})
afterAll(async () => {
  service.close()
  await team.stop()
  await sandbox[Symbol.asyncDispose]()
})

/** Examples for a shared sandbox. */
const OF_A_TEAM = /^(audit|namespaces (create|ensure|rotate|revoke))/
const TOKEN = 'ct_the-token-of-the-examples'

const startShared = async () =>
  startEmulator({
    world: await loadWorldFile('default'),
    port: 0,
    shared: true,
    controlToken: TOKEN,
    onFault: (error) => {
      throw error
    },
  })

const CAMPAIGN = '00000000-0000-4000-8000-000000000101'

/** Preconditions of an example. */
const BEFORE: readonly [RegExp, ...string[]][] = [
  [/\blast\b|explain \+|logs .*--query/, 'send +491713920050 --text Hello'],
  [
    /handsets (tap|reply)|conversation.started/,
    'send +491713920050 --text Hello --suggest-reply Yes --suggest-reply No --suggest-reply Maybe',
    'clock advance 1h',
  ],
  [
    /mailboxes (open|click|complain|unsub)/,
    `send ada@example.com --subject Hi --html '<a href="https://a.example">a</a><a href="https://b.example">b</a>'`,
    'clock advance 1h',
  ],
  [/lint ada@/, 'send ada@example.com --subject Hello --text Hello --html <p>Hello</p>'],
  [/mailboxes bounce/, 'send ada@example.com --subject Hi --text Hello', 'clock advance --next'],
  [/campaigns (pause|resume)|campaign.paused/, `campaigns trigger ${CAMPAIGN}`],
  [/campaigns resume/, `campaigns pause ${CAMPAIGN}`],
  [/agents review/, 'agents submit ag_draft_00000000-0000-4000-8000-000000000005'],
  [/agents reinstate/, 'agents suspend ag_live_00000000-0000-4000-8000-000000000001'],
  [/snapshots save/, 'snapshots delete before-campaign'],
  [/snapshots (restore|fork|delete|export|import)/, 'snapshots save before-campaign'],
  [/snapshots import/, 'snapshots export before-campaign', 'snapshots delete before-campaign'],
  [/namespaces (rotate|revoke) team-a/, 'namespaces ensure team-a'],
  [/namespaces (list|reset|delete)/, 'messages list --api-key sk_sandbox_suite-1'],
  [
    /profile (use|show|remove|list)/,
    'profile add staging --base-url https://staging.example.com --api-key-file key.txt',
  ],
  [/test-agent verify/, 'test-agent register +491713920000'],
]

/** An id that only the reader knows, or a secret that a phone shows. */
const IS_UNKNOWN = /…|<id>|rule_0|msg_0|\b42\b|ada-1|123456|test-agent send|ada@example.com 1|tap \S+ 2/

/** Examples with findings: an HTML file alone has no text part. Without a cluster, its commands are refused. */
const HAS_FINDINGS = /lint newsletter\.html(?!.*--text)/
const NEEDS_CLUSTER = /^cluster /
const codeOf = (line: string) =>
  HAS_FINDINGS.test(line) ? EXIT.expectation : NEEDS_CLUSTER.test(line) ? EXIT.refused : EXIT.ok

const FILES: Readonly<Record<string, string>> = {
  'card.json': '{"text": "Hello", "suggestions": []}',
  'message.json': '{"to": "+491713920050"}',
  'messages.ndjson': '{"to": "+491713920050", "text": "Hello"}\n',
  'recipients.csv': 'to\n+491713920050\n',
  'letter.html': '<p>Hello</p>',
  'news.txt': 'Hello\n',
  'newsletter.html':
    '<html lang="en"><head><title>News</title></head><body><p>Hello</p><a href="https://example.com/unsubscribe">Unsubscribe</a></body></html>',
  'order.json': '{"to": "+491713920050", "content": {"text": "Your order is on its way"}}',
  'people.csv': 'email,first_name\nada@example.com,Ada\n',
  'key.txt': 'sk_live_1234567890\n',
  'my-world.yaml': 'seed: mine\n',
  'order.yaml':
    'vars: { phone: "+491713920000" }\nsteps:\n  - { name: Balance, call: billing.balance, save: { free: free } }\n',
  'campaign.json':
    '{"name": "Spring", "trigger": "API", "audience": {"tag": "vip"}, "flow": [{"id": "end", "node": "END"}]}',
}

let count = 0

test.each([...lines])('sandbox %s', async (line) => {
  const cwd = await folder()
  const preceding = BEFORE.flatMap(([needs, ...before]) => (needs.test(line) ? before : []))
  for (const [name, text] of Object.entries(FILES))
    if ([line, ...preceding].some((one) => one.includes(name))) writeFileSync(join(cwd, name), text)
  const env = {
    XDG_CONFIG_HOME: cwd,
    SANDBOX_API_KEY: `sk_sandbox_example-${count++}`,
    SANDBOX_BASE_URL: sandbox.url,
    SANDBOX_CONTROL_TOKEN: TOKEN,
  }
  if (OF_A_TEAM.test(line)) Object.assign(env, { SANDBOX_BASE_URL: team.url, SANDBOX_API_KEY: 'sk_sandbox_default' })
  for (const one of preceding) await sandboxCommand(wordsOf(one), { env, cwd })
  const words = wordsOf(line)
  const { code, stdout, stderr } = await sandboxCommand(words, { tty: true, columns: 80, env, cwd })
  if (IS_UNKNOWN.test(line)) expect([EXIT.bug, EXIT.usage] as number[], stderr).not.toContain(code)
  else expect(code, stdout + stderr).toBe(codeOf(line))
  expect(stderr).not.toContain('--query')
  const result = await sandboxCommand(words, {
    tty: true,
    columns: 80,
    cwd,
    env: { ...env, SANDBOX_BASE_URL: hostileUrl },
  })
  expect(result.stdout + result.stderr).not.toMatch(STEERS)
  expect(result.stdout + result.stderr).not.toMatch(/^✓ paid/m)
  expect(result.code, result.stderr).not.toBe(EXIT.bug)
})

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!)
