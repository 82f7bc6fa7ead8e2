import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

/**
 * Twenty goals of a new user, who reads help alone. A page of help is read once; commands and characters are counted. Values such
 * as ids come from help or from the answers of earlier commands.
 */
interface Task {
  goal: string
  /** Pages of help that lead to the commands. */
  reads: readonly string[]
  /** The commands; `{name}` stands for a value that an earlier answer showed. */
  runs: readonly (string | { run: string; takes?: Record<string, string>; code?: number })[]
  /** The file that help shows and the user copies. */
  file?: { name: string; from: string }
  shows?: RegExp
}

const CARD = 'card.json'

const TASKS: readonly Task[] = [
  {
    goal: 'start a sandbox in the background',
    reads: ['help', 'start'],
    runs: ['status'],
    shows: /"answers":"sandbox"/,
  },
  {
    goal: 'send a message and see it read',
    reads: ['send'],
    runs: ['send +491713920000 --text Hello --watch'],
    shows: /"read"/,
  },
  {
    goal: 'see a message that fails',
    reads: [],
    runs: [{ run: 'send +491713920013 --text Hello --watch', code: 7 }],
    shows: /REJECTED_SPAM/,
  },
  { goal: 'explain why it failed', reads: [], runs: ['explain last'], shows: /magic recipient/ },
  {
    goal: 'see a day of webhook retries',
    reads: ['webhooks create', 'clock', 'events'],
    runs: [
      'webhooks create --url http://localhost:3000/hook --events message.delivered',
      'send +491713920000 --text Hello --watch',
      'clock advance 24h',
      'events deliveries --limit 1',
    ],
    shows: /"number":5/,
  },
  {
    goal: 'take a contact through double opt-in',
    reads: ['contacts create', 'consent'],
    runs: [
      'contacts create --email ada@example.com --external-id ada-1',
      {
        run: 'consent request ada-1 --channel-type EMAIL --message-type NEWSLETTER --doi-channel EMAIL --source form',
        takes: { record: 'id' },
      },
      'consent confirm ada-1 {record}',
    ],
    shows: /"status":"GRANTED"/,
  },
  {
    goal: 'bring an agent from draft to live',
    reads: ['agents'],
    runs: [
      {
        run: 'agents create --region EUROPE --billing-category CONVERSATIONAL --use-case MULTI_USE --display-name Shop',
        takes: { agent: 'agent_id' },
      },
      'agents submit {agent}',
      'agents set-launch {agent} --all LAUNCHED',
    ],
    shows: /LAUNCHED.*LAUNCHED.*LAUNCHED/,
  },
  {
    goal: 'define a campaign and run it',
    reads: ['campaigns define', 'campaigns'],
    file: { name: 'campaign.json', from: 'campaigns define' },
    runs: [
      { run: 'campaigns define --data campaign.json', takes: { campaign: 'campaign_id' } },
      'campaigns trigger {campaign}',
      'campaigns status {campaign} --watch',
    ],
    shows: /"COMPLETED"/,
  },
  {
    goal: 'run out of money',
    reads: ['billing'],
    runs: ['billing set-balance 0', { run: 'send +491713920050 --text Hello', code: 4 }, 'billing set-balance 1000'],
    shows: /"free":1000/,
  },
  {
    goal: 'write a scenario and run it',
    reads: ['run'],
    file: { name: 'order.yaml', from: 'run' },
    runs: ['run order.yaml'],
    shows: /"passed":true/,
  },
  {
    goal: 'see a card on an iPhone',
    reads: ['preview'],
    file: { name: CARD, from: 'send' },
    runs: [`preview ${CARD} --as ios`],
    shows: /"ios"/,
  },
  {
    goal: 'export a world and import it',
    reads: ['snapshots'],
    runs: [
      'snapshots save friday',
      'snapshots export friday friday.db',
      'snapshots delete friday',
      'snapshots import friday.db',
    ],
    shows: /friday/,
  },
  {
    goal: 'let a carrier fail',
    reads: ['carriers set'],
    runs: [
      'carriers set nordfunk --fail 100% --reason REJECTED_SPAM',
      { run: 'send +491713920051 --text Hello --watch', code: 7 },
      'carriers reset nordfunk',
    ],
    shows: /nordfunk/,
  },
  {
    goal: 'let a message expire at a phone that is off',
    reads: ['handsets set'],
    runs: [
      'handsets set +491713920050 --off',
      'send +491713920050 --text Hello --ttl 60s',
      'clock advance 2m',
      'messages get last',
      'handsets set +491713920050 --on',
    ],
    shows: /"phone":"\+491713920050"/,
  },
  {
    goal: 'answer a user within a conversation',
    reads: ['handsets reply'],
    runs: [
      'send +491713920050 --text Question?',
      'clock advance 1m',
      `handsets reply +491713920050 Yes --agent ${agents.multi}`,
      'send +491713920050 --text Thanks --message-type CONVERSATION',
    ],
    shows: /"conversation"/,
  },
  {
    goal: 'let the API answer 503',
    reads: ['faults add'],
    runs: [
      'faults add --route POST:/v1/messages --status 503 --times 1',
      { run: 'send +491713920050 --text Hello --no-retry', code: 11 },
    ],
    shows: /service_unavailable|503/,
  },
  {
    goal: 'wait for an event in a script',
    reads: ['expect'],
    runs: ['expect message.delivered --message last --within 10m'],
    shows: /"message.delivered"/,
  },
  {
    goal: 'print the secret that signs forwarded webhooks',
    reads: ['listen'],
    runs: ['listen --print-secret'],
    shows: /^whsec_/,
  },
  {
    goal: 'import contacts from a file',
    reads: ['contacts import'],
    runs: ['contacts import people.csv'],
    shows: /"imported":1/,
  },
  {
    goal: 'run a test suite with its own sandbox',
    reads: [],
    runs: ['help exec'],
    shows: /sandbox exec -- npm test/,
  },
]

let sandbox: Awaited<ReturnType<typeof createSandbox>>
let cwd = ''
const count = { commands: 0, characters: 0, solved: 0 }
const read = new Set<string>()
const values: Record<string, string> = {}

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'auto' })
  cwd = mkdtempSync(join(tmpdir(), 'tasks-'))
  writeFileSync(join(cwd, 'people.csv'), 'email,first_name\nbea@example.com,Bea\n')
})
afterAll(async () => {
  rmSync(cwd, { recursive: true })
  await sandbox[Symbol.asyncDispose]()
})

async function run(line: string) {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  const ended = await sandboxCommand(words, { cwd, env: { SANDBOX_BASE_URL: sandbox.url } })
  count.commands++
  // A busy machine writes longer durations.
  count.characters += (ended.stdout + ended.stderr).replace(/(?<="duration_ms":)\d+/g, '0').length
  return ended
}

const helpOf = (page: string) => (page === 'help' ? 'help' : `help ${page}`)

/** The file that a page of help shows, indented by two. */
async function copied(page: string): Promise<string> {
  const { stdout } = await sandboxCommand(helpOf(page).split(' '), { columns: 80 })
  const [, block] = /\n((?: {2}(?:\{|name: )[\s\S]*?)(?=\n\n))/.exec(stdout)!
  return block!.replace(/^ {2}/gm, '')
}

test.each(TASKS)('help alone is enough to solve: $goal', async ({ reads, runs, file, shows }) => {
  for (const page of reads) if (!read.has(page)) await run(helpOf(page))
  for (const page of reads) read.add(page)
  if (file && !existsSync(join(cwd, file.name))) writeFileSync(join(cwd, file.name), await copied(file.from))
  let all = ''
  for (const one of runs) {
    const { run: line, takes = {}, code = 0 } = typeof one === 'string' ? { run: one } : one
    const ended = await run(line.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!))
    expect({ line, code: ended.code, stderr: ended.code === code ? '' : ended.stderr }).toEqual({
      line,
      code,
      stderr: '',
    })
    for (const [name, field] of Object.entries(takes)) values[name] = String(ended.json[field])
    all += ended.stdout + ended.stderr
  }
  expect(all).toMatch(shows!)
  count.solved++
})

test('the twenty tasks take at most 80 commands and 60,000 characters', () => {
  expect(count.solved).toBe(20)
  expect(count.commands).toBeLessThanOrEqual(80)
  expect(count.characters).toBeLessThanOrEqual(60_000)
})
