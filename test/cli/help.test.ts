import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { nounFiles } from '../../src/cli/generate/command-files.ts'
import { fieldsOf } from '../../src/cli/generate/fields.ts'
import { flagName } from '../../src/cli/generate/flags.ts'
import type { Overlay } from '../../src/cli/generate/noun.ts'
import { COMMON_LINE, REQUIRED_LINE } from '../../src/cli/help/format.ts'
import { COMMAND_GROUPS, FIRST_COMMANDS } from '../../src/cli/help/groups.ts'
import { PAGE_NAMES } from '../../src/cli/help/pages.ts'
import { isCommon, notesOf } from '../../src/cli/help/tree.ts'
import { APPROVAL } from '../../src/cli/nouns/agents.ts'
import { FREE_PHONES } from '../../src/cli/nouns/contacts.ts'
import { EXIT } from '../../src/cli/process/exit.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Run } from '../../src/cli/session/session.ts'
import { api } from '../../src/registry/api.ts'
import { getOrAdd } from '../../src/words/get-or-add.ts'
import { kebab } from '../../src/words/kebab.ts'
import type { Operation } from '../../src/words/operation.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

/** The commands that the files of nouns declare, by the id of the operation. */
const overlays: Record<string, Overlay> = {}
for (const noun of Object.keys(api)) {
  const { verbs = {} } = (await nounFiles[kebab(noun)]?.())?.commands ?? {}
  for (const [verb, overlay] of Object.entries(verbs)) overlays[`${noun}.${verb}`] = overlay
}

const program = await createProgram([], { io: {}, output: {}, exit: 0 } as unknown as Run)
const leaves = (command: Command, path: string[] = []): { path: string[]; command: Command }[] =>
  command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap((inner) => leaves(inner as Command, [...path, inner.name()]))
const commands = leaves(program)

/** The help of a command at a terminal of 80 columns, which is the width of help where nothing is known of a terminal too. */
const AT_80 = { tty: true, columns: 80 }
const shown = new Map<string, ReturnType<typeof sandboxCommand>>()
const helpOf = (path: string) =>
  getOrAdd(shown, path, () => sandboxCommand([...path.split(' ').filter(Boolean), '--help'], AT_80))

test('the first page of help fits on a screen and names every command in one group', async () => {
  const { code, stdout } = await sandboxCommand(['--help'], { columns: 80 })
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(50)
  expect(FIRST_COMMANDS.length).toBe(12)
  for (const name of FIRST_COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
  const groups = Object.keys(COMMAND_GROUPS)
  expect(groups).toHaveLength(5)
  const named = groups.flatMap((group) => {
    const [, list] = new RegExp(`^  ${group} +([\\s\\S]*?)(?=\\n {2}\\w|\\n\\n)`, 'm').exec(stdout)!
    return list!.split(/,\s+/)
  })
  const visible = program.createHelp().visibleCommands(program)
  expect(named.toSorted()).toEqual(visible.map((command) => command.name()).toSorted())
})

test.each(Object.keys(COMMAND_GROUPS))('sandbox help %s explains the commands of the group', async (group) => {
  const { code, stdout } = await sandboxCommand(['help', group])
  expect(code).toBe(0)
  const visible = program.createHelp().visibleCommands(program)
  const inGroup = visible.filter((command) => command.helpGroup() === group)
  expect(inGroup.length).toBeGreaterThan(3)
  for (const command of inGroup) {
    expect(stdout).toContain(`  ${command.name()}`)
    for (const inner of command.createHelp().visibleCommands(command as Command)) expect(stdout).toContain(inner.name())
  }
})

test('a terminal that reports a width of 0 gets help of 80 columns', async () => {
  const { stdout } = await sandboxCommand(['send', '--help'], { tty: true, columns: 0 })
  expect(stdout).toBe((await helpOf('send')).stdout)
  // So does a program.
  expect((await sandboxCommand(['send', '--help'])).stdout).toBe(stdout)
})

test('one page lists the common options, and help of a command shows its own', async () => {
  const page = (await sandboxCommand(['help', 'options'])).stdout
  const common = program.options.filter(isCommon)
  expect(common).toHaveLength(17)
  for (const { long } of common) expect(page).toContain(`  ${long}`)
  const { stdout } = await sandboxCommand(['messages', 'list', '--help'])
  for (const { long } of common.filter((option) => option.long !== '--json')) expect(stdout).not.toContain(`  ${long}`)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(COMMON_LINE)
})

test.each([
  ['rules update', 'rules add'],
  ['agents provision', 'agents create'],
  ['messages search', 'messages list'],
])('the help of %s refers to %s for the options that both have', async (verb, other) => {
  const words = async (line: string) => (await sandboxCommand([...line.split(' '), '--help'])).stdout
  const [short, whole] = [await words(verb), await words(other)]
  const [, names = ''] = new RegExp(`Options as in "sandbox ${other} --help": ([^.]+?)\\n\\n`).exec(short)!
  expect(names.split(/,\s+/).length).toBeGreaterThanOrEqual(10)
  for (const name of names.split(/,\s+/)) {
    expect(whole).toMatch(new RegExp(`^ {2}${name.replace('--', '--(\\[no-\\])?')} `, 'm'))
    expect(short).not.toMatch(new RegExp(`^ {2}${name} `, 'm'))
  }
  // What a call needs is always shown.
  for (const [, required] of whole.matchAll(/^ {2}(--\S+)(?: .*\n? *.*)\(required\)/gm))
    expect(short).toContain(`  ${required}`)
})

test('one table lists all exit codes', async () => {
  const { stdout } = await sandboxCommand(['help', 'exit-codes'])
  for (const code of Object.values(EXIT)) expect(stdout).toMatch(new RegExp(`^ +${code}  \\w`, 'm'))
})

test.each(['', ...PAGE_NAMES.map((page) => `help ${page}`), ...commands.map(({ path }) => path.join(' '))])(
  'no word of sandbox %s --help is broken at 80 columns',
  async (path) => {
    const { stdout } = await (path.startsWith('help ') ? sandboxCommand(path.split(' '), AT_80) : helpOf(path))
    const tooLong = stdout.split('\n').filter((line) => line.length > 80 && /\S\s+\S.*\s/.test(line.trim()))
    expect(tooLong).toEqual([])
  },
)

test.each(commands.map(({ path }) => path.join(' ')))(
  'sandbox %s --help explains it and all its options',
  async (path) => {
    const { code, stdout } = await helpOf(path)
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: sandbox ${path}`)
    expect(stdout).toMatch(/\nExamples?:\n/)
    const { command } = commands.find((entry) => entry.path.join(' ') === path)!
    expect(command.description()).not.toBe('')
  },
)

test('a noun without a command, or no command, shows the help and fails', async () => {
  for (const argv of [[], ['messages']]) {
    const { code, stdout, stderr } = await sandboxCommand(argv, { tty: true })
    expect(code).toBe(2)
    expect(stdout).toContain(argv.length === 0 ? 'All commands by group' : 'Usage: sandbox messages')
    expect(stderr).toBe('')
    const program = await sandboxCommand(argv)
    expect(program).toMatchObject({ code: 2, stdout: '' })
    expect(program.error.message).toContain(argv.length === 0 ? 'send, ' : 'explain')
  }
})

test('help also works as the first word', async () => {
  const help = async (...argv: string[]) => (await sandboxCommand(argv)).stdout
  expect(await help('help')).toBe(await help('--help'))
  expect(await help('help', 'send')).toBe(await help('send', '--help'))
  expect(await help('help', 'messages', 'get')).toBe(await help('messages', 'get', '--help'))
  expect(await help('messages', 'help', 'get')).toBe(await help('messages', 'get', '--help'))
})

test('help on an unknown command is refused with the nearest command', async () => {
  for (const [argv, nearest] of [
    [['mesages', '--help'], 'messages'],
    [['messages', 'gte', '--help'], 'get'],
    [['help', 'snd'], 'send'],
  ] as const) {
    const { code, stdout, error } = await sandboxCommand(argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(error.hint).toContain(`Did you mean ${nearest}?`)
  }
})

test('an invalid value of an argument or option is refused with the nearest valid one', async () => {
  for (const [argv, nearest] of [
    [['leases', 'take', 'phones'], 'phone'],
    [['leases', 'take', '--kind', 'phones'], 'phone'],
    [['world', 'reset', 'mesages'], 'messages'],
    [['clock', 'mode', 'frozn'], 'frozen'],
    [['completion', 'fihs'], 'fish'],
  ] as const) {
    const { code, stdout, error } = await sandboxCommand(argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(error.message).toContain(`Allowed values: `)
    expect(error.hint).toContain(`Did you mean ${nearest}?`)
  }
})

test.each([
  [['messages', 'list', '--status', 'done'], 'Invalid value "done" for --status. Allowed values: queued, dispatched'],
  [['leases', 'take', 'phones'], 'Invalid value "phones" for <kind>. Allowed values: phone, email.'],
  [['start', '--port', '99x'], 'Invalid value "99x" for --port. It must be a port from 0 to 65535.'],
  [['verify-handler'], 'Missing --url.'],
  [['messages', 'get'], 'Missing <message>.'],
  [['messages', 'list', '--limit'], '--limit needs a value.'],
])('an invalid command line is refused in the words of other errors: %j', async (argv, message) => {
  const { code, error } = await sandboxCommand(argv)
  expect(code).toBe(2)
  expect(error.message).toContain(message)
})

test('a noun without a list says where its ids are', async () => {
  const lacks = Object.entries(api as Record<string, Record<string, Operation>>).filter(
    ([, verbs]) => !('list' in verbs) && Object.values(verbs).some(({ path }) => path.includes('/{id}')),
  )
  expect(lacks.map(([noun]) => noun)).toEqual(expect.arrayContaining(['agents', 'campaigns']))
  for (const [noun] of lacks) {
    if (noun === 'logs') continue // Its name alone is the list.
    const { error } = await sandboxCommand([kebab(noun), 'list'])
    expect(error.hint, noun).toMatch(/sandbox (world show|billing invoices) lists/)
    const help = (await sandboxCommand([kebab(noun), '--help'])).stdout.replace(/\s+/g, ' ')
    expect(help).toContain(String(error.hint).split(' See:')[0])
  }
})

test.each(['handset', 'mailbox', 'snapshot'])(
  'sandbox %s means the same as its plural, and help shows both',
  async (word) => {
    const plural = word === 'mailbox' ? 'mailboxes' : `${word}s`
    const { code, stdout } = await sandboxCommand([word, '--help'])
    expect(code).toBe(0)
    expect(stdout).toBe((await sandboxCommand([plural, '--help'])).stdout)
    const [{ stdout: simulating }, { stdout: managing }] = await Promise.all([
      sandboxCommand(['help', 'simulating']),
      sandboxCommand(['help', 'managing']),
    ])
    expect(simulating + managing).toContain(`${plural}|${word}\n`)
  },
)

test('every option that takes JSON is in an example or in the body that its help shows', () => {
  const takesJson = commands.flatMap(({ path, command }) =>
    command.options
      .filter(({ flags }) => flags.endsWith('<json>'))
      .map(({ long }) => ({ path: path.join(' '), long: long! })),
  )
  const isShown = ({ path, long }: (typeof takesJson)[number]) => {
    const { command } = commands.find((one) => one.path.join(' ') === path)!
    // The help of send shows the content for both of its options.
    if (long === '--content-json') return notesOf(command).includes('--content card.json')
    const field = JSON.stringify(long.slice(2).replaceAll('-', '_'))
    return new RegExp(`(${long}|-d) '`).test(notesOf(command)) || notesOf(command).includes(`${field}: `)
  }
  expect(takesJson.length).toBeGreaterThan(5)
  expect(takesJson.filter((option) => !isShown(option))).toEqual([])
})

test('help of every command that reads all pages shows how to take fields of its list', () => {
  const lists = commands.filter(({ command }) =>
    command.options.some(({ long, description }) => long === '--all' && description.includes('pages')),
  )
  expect(lists.length).toBeGreaterThan(8)
  for (const { path, command } of lists) expect(notesOf(command), path.join(' ')).toMatch(/--query "\w+\[/)
})

test('help of a noun shows the required options of its commands, so that it is enough for a call', async () => {
  const { stdout } = await sandboxCommand(['help', 'consent'], { columns: 80 })
  const page = stdout.replace(/\s+/g, ' ')
  expect(page).toContain(
    'Record the consent of a contact (single opt-in) --channel-type EMAIL|RCS|SMS --message-type MESSAGE|NEWSLETTER --source <text>',
  )
  expect(page).toContain(REQUIRED_LINE)
  expect((await sandboxCommand(['help', 'clock'])).stdout).not.toContain(REQUIRED_LINE)
  expect((await sandboxCommand(['help', 'billing'])).stdout).toContain('topup <amount>')
})

test.each([
  ['clock advance', '--to <time>'],
  ['contacts create', '--email <address>'],
  ['agents create', '--website <url>'],
  ['faults add', '--delay <duration>'],
  ['cluster move', '--to <name>'],
  ['billing history', '--points <number>'],
  ['handsets set', '--carrier <name>'],
])('the placeholder of an option suits its value: %s %s', (path, flags) => {
  const { command } = commands.find((one) => one.path.join(' ') === path)!
  expect(command.options.map((option) => option.flags)).toContain(flags)
})

test('every operation has a command', () => {
  const paths = new Set(commands.map(({ path }) => path.join('.')))
  for (const [noun, operations] of Object.entries(api as Record<string, Record<string, Operation>>))
    for (const [verb, operation] of Object.entries(operations)) {
      if (overlays[operation.id]?.skip || operation.media === 'text/event-stream') continue
      const names = overlays[operation.id]?.variants?.map(({ name }) => name) ?? [kebab(verb)]
      for (const name of names) expect(paths, operation.id).toContain(`${kebab(noun)}.${name}`)
    }
})

test('every file in nouns/ belongs to an existing noun', () => {
  expect(Object.keys(api).map(kebab)).toEqual(expect.arrayContaining(Object.keys(nounFiles)))
})

test('an overlay belongs to an operation that exists and names fields that it has', () => {
  const operations = Object.values(api as Record<string, Record<string, Operation>>).flatMap((noun) =>
    Object.values(noun),
  )
  for (const [id, { flags = {}, positional = [], variants = [], spread = [] }] of Object.entries(overlays)) {
    const operation = operations.find((entry) => entry.id === id)
    expect(operation, id).toBeDefined()
    const fields = fieldsOf(operation!.body ?? operation!.query).flatMap(({ name, inside = [] }) =>
      spread.includes(name) ? inside.map((field) => `${name}.${field.name}`) : [name],
    )
    const named = [
      ...Object.keys(flags),
      ...positional,
      ...variants.flatMap(({ preset, without = [] }) => [...Object.keys(preset), ...without]),
    ]
    for (const name of named) expect(fields, id).toContain(name)
  }
})

test('send has a flag for every field of the request', async () => {
  const { FLAG_OF } = await import('../../src/cli/commands/send/options.ts')
  const elsewhere = ['to', 'content']
  const fields = fieldsOf(api.messages.send.body).map(({ name }) => name)
  expect(fields.filter((name) => !(name in FLAG_OF) && !elsewhere.includes(name))).toEqual([])
  expect(flagName('channel_type')).toBe('--channel-type')
})

test('help names the phones of contacts, and a free one, as the default world has them', async () => {
  await using sandbox = await createSandbox()
  const { contacts } = await sandbox.client.contacts.list({ limit: 200 })
  const phones = contacts.flatMap(({ phone }) => phone ?? [])
  const { magic_recipients } = await sandbox.client.world.show()
  const magic = magic_recipients.map(({ address }) => address).filter((address) => address.startsWith('+'))
  const [, except, first, last, free] = /(\+\d+), and (\+\d+) to …(\d\d), .* (\+1\d+)\.$/.exec(FREE_PHONES)!
  const ordinary = Array.from(
    { length: Number(last) - Number(first!.slice(-2)) + 1 },
    (_, i) => `+${Number(first) + i}`,
  )
  expect(magic).toContain(except)
  expect([...magic.filter((phone) => phone !== except), ...ordinary].toSorted()).toEqual(phones.toSorted())
  expect(phones).not.toContain(free)
})

test('help says when a submitted agent is live, as the default world has it', async () => {
  await using sandbox = await createSandbox()
  const draft = 'ag_draft_00000000-0000-4000-8000-000000000005'
  const [approved, live] = [...APPROVAL.matchAll(/after (\d+ s)/g)].map(([, time]) => time!.replace(' ', ''))
  await sandbox.client.agents.submit(draft)
  await sandbox.clock.advance(approved!)
  expect(await sandbox.client.agents.get(draft)).toMatchObject({ status: 'APPROVED' })
  await sandbox.clock.advance(`${Number.parseInt(live!, 10) - Number.parseInt(approved!, 10)}s`)
  const { carriers } = await sandbox.client.agents.launch(draft)
  expect(carriers.map(({ status }) => status)).toEqual(['LAUNCHED', 'LAUNCHED', 'LAUNCHED'])
})

test('the phones of contacts are listed by carrier', async () => {
  await using sandbox = await createSandbox()
  const argv = ['handsets', 'list', '--contacts', '--carrier', 'alpentel']
  const { json } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  const carriers = (json.handsets as { carrier: string }[]).map(({ carrier }) => carrier)
  expect([carriers.length < 67, new Set(carriers)]).toEqual([true, new Set(['alpentel'])])
})

test('the help of a campaign shows the form of a fallback within a node', async () => {
  const { stdout } = await sandboxCommand(['campaigns', 'define', '--help'])
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'fallback?: none|{agent_id?, channel_id?, message_type?, traffic_type?,',
  )
})
