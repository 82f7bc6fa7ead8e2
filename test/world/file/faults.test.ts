import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { folder } from '../../folder.ts'
import { agents } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

interface Verdict {
  file: string
  valid: boolean
  errors: { line: number | null; column: number | null; field: string; message: string }[]
}

/** The result of validating a file with this content. */
async function verdictOn(content: string | Uint8Array) {
  const cwd = await folder()
  writeFileSync(join(cwd, 'world.yaml'), content)
  const { code, lines } = await sandboxCommand(['world', 'validate', 'world.yaml'], { cwd })
  const verdict = lines[0] as unknown as Verdict
  expect(code).toBe(verdict.valid ? 0 : 3)
  return verdict
}

const linesOf = ({ file, errors }: Verdict) =>
  errors.map(({ line, column, field, message }) =>
    [line === null ? file : `${file}:${line}:${column}`, field, message].filter(Boolean).join(': '),
  )

const MISSPELT = `seed: x
mails: {}
agents:
  - agent_id: ${agents.multi}
    use_case: MULTI
contacts:
  - phone: +491713920000
    consent: [{ channel_type: RCS, message_type: MESSAGE, status: GRANTD }]
  - { email: a@example.com, phne: "1" }
`

test('all misspelt fields and values of a file are reported together, with line and suggestion', async () => {
  expect(linesOf(await verdictOn(MISSPELT))).toEqual([
    'world.yaml:2:1: mails: unknown field, did you mean "mail"?',
    'world.yaml:5:15: agents[0].use_case: must be one of OTP, TRANSACTIONAL, PROMOTIONAL, MULTI_USE',
    'world.yaml:7:12: contacts[0].phone: must be a string: write "+491713920000" in quotes',
    'world.yaml:8:67: contacts[0].consent[0].status: must be one of GRANTED, REVOKED, PENDING, did you mean "GRANTED"?',
    'world.yaml:9:29: contacts[1].phne: unknown field, did you mean "phone"?',
  ])
})

test('the names of a mapping with fixed names are listed', async () => {
  expect(linesOf(await verdictOn('carriers: [{ name: nordfunk, failed: { LOST: 1%, REJECTED_SPAMM: 1% } }]'))).toEqual([
    expect.stringMatching(/failed\.LOST: unknown field; fields: UNKNOWN_RCS_USER, .*, ACCOUNT_SUSPENDED$/),
    expect.stringMatching(/failed\.REJECTED_SPAMM: unknown field, did you mean "REJECTED_SPAM"\?$/),
  ])
})

test('a clock that could not run is refused', async () => {
  for (const year of ['9999', '0000'])
    expect(linesOf(await verdictOn(`clock: { mode: frozen, now: ${year}-01-01T00:00Z }`))).toEqual([
      'world.yaml:1:29: clock.now: must be in the years 1970 to 9998',
    ])
})

test('unknown references and duplicates of all sections are reported together', async () => {
  const verdict = await verdictOn(`carriers: [{ name: nordfunk }]
agents:
  - { agent_id: ${agents.multi}, use_case: OTP }
  - { agent_id: ${agents.multi}, use_case: OTP, launched_on: [nordfonk] }
channels:
  - channel_id: ch_00000000-0000-4000-8000-000000000001
    type: RCS
    name: Lost
    agent_id: ag_live_00000000-0000-4000-8000-00000000ffff
contacts:
  - email: a@example.com
    consent:
      - &one { channel_type: EMAIL, message_type: MESSAGE, status: GRANTED }
      - *one
  - email: A@example.com
campaigns:
  - name: Lost
    trigger: API
    audience: { contacts: [c_00000000-0000-4000-8000-000000000001] }
    flow:
      - node: SEND
        id: send
        agent_id: ag_live_00000000-0000-4000-8000-00000000ffff
        message_type: MESSAGE
        traffic_type: PROMOTION
        template_id: tpl_00000000-0000-4000-8000-000000000001
      - { node: END, id: end }
handsets:
  - { phone: "+491713920000", carrier: nordfunc }
review: { launch: { sudfunk: { outcome: launched } } }
`)
  expect(linesOf(verdict).map((line) => line.replace(/^world\.yaml:(\d+):\d+: /, '$1 '))).toEqual([
    '4 agents[1].agent_id: agents[0] has the same value',
    expect.stringMatching(/^9 channels\[0\]\.agent_id: must be an agent of this world/),
    '14 contacts[0].consent[1].message_type: consent[0] has the same channel_type and message_type',
    '15 contacts[1].email: contacts[0] has the same value',
    '19 campaigns[0].audience.contacts[0]: does not exist in this world',
    '23 campaigns[0].flow[0].agent_id: does not exist in this world',
    '26 campaigns[0].flow[0].template_id: does not exist in this world',
    expect.stringMatching(/^29 handsets\[0\]\.carrier: .*nordfunk/),
    '30 review.launch.sudfunk: must be a carrier of this world: nordfunk',
  ])
})

test('an unknown carrier is reported for each agent that is launched on it', async () => {
  const { errors } = await verdictOn(`agents:
  - { agent_id: ${agents.multi}, use_case: OTP, launched_on: [nordfonk, rheinmobil, alpen] }
`)
  expect(errors.map(({ line, field }) => [line, field])).toEqual([
    [2, 'agents[0].launched_on[0]'],
    [2, 'agents[0].launched_on[2]'],
  ])
})

const deepAnchors = Array.from({ length: 300 }, (_, i) => (i === 0 ? 'a0: &a0 []' : `a${i}: &a${i} [*a${i - 1}]`)).join(
  '\n',
)

test.each([
  ['a duplicate key', 'seed: a\nseed: b\n', ['2:1: duplicate key seed']],
  ['a list that does not end', 'seed: a\ncontacts: [\n', [/^3:1: is not YAML: /]],
  ['tabs', 'billing:\n\tbalance: 1\n', ['2:1: is not YAML: Tabs are not allowed as indentation']],
  ['two documents', 'seed: a\n---\nseed: b\n', [/^2:1: a file must be one document/]],
  ['a tag', 'seed: !!js/function "x"\n', [/^1:7: unknown tag /]],
  ['an unknown anchor', 'seed: *nowhere\n', ['1:7: there is no anchor &nowhere before this']],
  ['an anchor in itself', 'contacts: &a [*a]\n', ['1:14: has an anchor that contains itself']],
  ['nothing', '', [/^1:1: is empty/]],
  ['a list', '- seed: a\n', [/^1:1: it must be a YAML mapping/]],
  ['a reserved key', '__proto__: {}\n', ['1:1: __proto__: unknown field']],
  ['an extreme depth', `seed: a\nx: ${'['.repeat(20_000)}`, [/^2:\d+: .*nested too deeply/]],
  [
    'a depth of 200',
    `seed: a\nx: ${'['.repeat(200)}${']'.repeat(200)}`,
    [/^2:\d+: is nested too deeply \(limit: 100 levels\)/],
  ],
  ['a depth of anchors', deepAnchors, [/^\d+:\d+: is nested too deeply \(limit: 100 levels\)/]],
  [
    'an inexact number',
    'seed: a\nx: 9007199254740993\n',
    ['2:4: is 2^53 or more, where numbers are no longer exact: write "9007199254740993" in quotes'],
  ],
  ['two keys with the same text', 'seed: a\ncontacts:\n- custom_fields: { 1: a, "1": b }\n', ['3:26: duplicate key 1']],
  [
    'a merge of a text',
    'a: &a 1\nseed: { <<: [*a] }\n',
    [/^2:9: merges a mapping or a list of mappings; .* in quotes/],
  ],
  [
    'a field that an object would lose',
    'seed: a\ncontacts:\n- custom_fields: { __proto__: a }\n',
    ['3:20: __proto__: unknown field'],
  ],
] as const)('a file with %s is refused with its line', async (_, content, expected) => {
  const lines = linesOf(await verdictOn(content)).map((line) => line.replace(/^world\.yaml:/, ''))
  expect(lines.slice(0, expected.length)).toEqual(
    expected.map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one)),
  )
})

test('merges that would take seconds or hours are refused before they run', async () => {
  const merges = Array.from({ length: 12 }, (_, i) =>
    i === 0
      ? 'a0: &a0 { x: 1 }'
      : `a${i}: &a${i}\n  <<: [${Array(20)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
  ).join('\n')
  expect((await verdictOn(merges)).errors).toMatchObject([
    { line: expect.any(Number), message: expect.stringMatching(/values by its anchors/) },
  ])
})

test('an anchor with too many uses is refused with its line', async () => {
  const uses = Array.from({ length: 6_000 }, () => '- *a').join('\n')
  expect((await verdictOn(`seed: &a x\ncontacts:\n${uses}`)).errors).toMatchObject([
    { line: 5_003, message: 'anchors are used more than 5,000 times' },
  ])
})

test('tens of thousands of errors are reported as quickly as one', async () => {
  const unknown = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')
  const { errors } = await verdictOn(unknown)
  expect(errors).toHaveLength(20_000)
  expect(errors.at(-1)).toMatchObject({
    line: 20_000,
    field: 'k19999',
    message: expect.stringMatching(/^unknown field; fields: /),
  })
})

test.skipIf(process.platform === 'win32')('an endless file is read only up to the size limit', async () => {
  const { stdout } = await sandboxCommand(['world', 'validate', '/dev/zero', '--json'])
  expect(JSON.parse(stdout).errors).toMatchObject([{ message: expect.stringContaining('is larger than 16 MiB') }])
})

test('at any place where the stack overflows, a file is reported as nested too deeply', async () => {
  for (const depth of [3_000, 5_000, 20_000])
    for (const open of ['[', '[ ', '{a: ']) {
      const { errors } = await verdictOn(`x: ${open.repeat(depth)}1${(open.startsWith('{') ? '}' : ']').repeat(depth)}`)
      expect([...new Set(errors.map(({ message }) => message))]).toEqual(['is nested too deeply'])
    }
})

test('anchors that would expand to billions of values are refused at once', async () => {
  const bomb = Array.from({ length: 10 }, (_, i) =>
    i === 0
      ? 'a0: &a0 [1, 2]'
      : `a${i}: &a${i} [${Array(12)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
  ).join('\n')
  expect((await verdictOn(bomb)).errors).toMatchObject([
    { line: 7, message: expect.stringMatching(/values by its anchors/) },
  ])
})

test('an anchor may be used and merged hundreds of times', async () => {
  const contacts = Array.from({ length: 300 }, (_, i) => `  - { email: r${i}@example.com, consent: *yes }`).join('\n')
  const verdict = await verdictOn(`contacts:
  - { email: first@example.com, consent: &yes [&base { channel_type: EMAIL, message_type: NEWSLETTER, status: GRANTED }] }
  - { email: other@example.com, consent: [{ <<: *base, status: REVOKED }] }
${contacts}
`)
  expect(verdict).toMatchObject({ valid: true, counts: { contacts: 302 } })
})

test('a byte order mark, Windows line ends, UTF-16 and JSON are accepted', async () => {
  expect((await verdictOn('\ufeffseed: a\r\nclock: { mode: frozen }\r\n')).valid).toBe(true)
  expect((await verdictOn(Buffer.from('\ufeffseed: a\n', 'utf16le'))).valid).toBe(true)
  expect((await verdictOn('{"$schema": "./schema.json", "seed": "a"}')).valid).toBe(true)
})

test('binary files, files that are too large, folders and missing files get a clear error', async () => {
  expect(linesOf(await verdictOn(Buffer.from([0x80, 0xff, 0])))).toEqual(['world.yaml: is not UTF-8 text'])
  expect(linesOf(await verdictOn(Buffer.alloc(17 * 1024 * 1024, ' ')))).toEqual([
    'world.yaml: is larger than 16 MiB, the limit for a world file',
  ])
  const cwd = await folder()
  mkdirSync(join(cwd, 'dir.yaml'))
  const { code, lines } = await sandboxCommand(
    ['world', 'validate', 'dir.yaml', './nope.yaml', 'strict.yaml', 'outag'],
    { cwd },
  )
  expect(code).toBe(3)
  expect(lines.flatMap((line) => linesOf(line as unknown as Verdict))).toEqual([
    'dir.yaml: cannot be read: it is a folder',
    './nope.yaml: cannot be read: there is no such file',
    'strict.yaml: cannot be read: there is no such file; for the world of the package, pass strict',
    expect.stringMatching(
      /^outag: Unknown world "outag", did you mean "outage"\? For a file, write its path: \.\/outag\.yaml\.$/,
    ),
  ])
})

test('validate accepts stdin and several files, and prints a line per error and per valid file in a terminal', async () => {
  const cwd = await folder()
  writeFileSync(join(cwd, 'bad.yaml'), 'seed: a\nclok: {}\n')
  const got = await sandboxCommand(['world', 'validate', '-', 'bad.yaml', 'default'], {
    cwd,
    tty: true,
    stdin: 'seed: a\ncontacts: [{ email: a@example.com }]\n',
  })
  expect(got.code).toBe(3)
  expect(got.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^✓ stdin: .*contacts 1/),
    '✗ bad.yaml:2:1: clok: unknown field, did you mean "clock"?',
    expect.stringMatching(/^✓ default: .*contacts 74/),
  ])
})

test('start refuses invalid files with the lines of validate, even if the data folder already has a world', async () => {
  const cwd = await folder()
  writeFileSync(join(cwd, 'world.yaml'), MISSPELT)
  const data = await folder()
  {
    await using _ = await createSandbox({ data })
  }
  for (const where of [['--memory'], ['--data', data]]) {
    const got = await sandboxCommand(['start', '--port', '0', ...where, '--world', 'world.yaml'], { cwd })
    expect(got).toMatchObject({ code: 3, stdout: '' })
    expect(String(got.error.message).split('\n')).toEqual(linesOf(await verdictOn(MISSPELT)))
  }
  writeFileSync(join(cwd, 'world.yaml'), `agents: [{ agent_id: ${agents.multi}, use_case: OTP, launched_on: [x] }]`)
  const got = await sandboxCommand(['start', '--port', '0', '--data', data, '--world', 'world.yaml'], {
    cwd,
    tty: true,
  })
  expect(got.stderr).toMatch(/^✗ world\.yaml:1:\d+: agents\[0\]\.launched_on\[0\]: must be a carrier/)
})

test("the library's error contains the same lines", async () => {
  const cwd = await folder()
  writeFileSync(join(cwd, 'world.yaml'), 'seed: a\nbilling: { balance: much }\n')
  await expect(createSandbox({ world: join(cwd, 'world.yaml') })).rejects.toThrow(
    /world\.yaml:2:21: billing\.balance: must be a number$/,
  )
})

test('a start with the data of another world reports that', async () => {
  const data = await folder()
  const start = (world: string) =>
    sandboxCommand(['start', '--port', '0', '--data', data, '--world', world], {
      onOutput: (_, stop) => stop('SIGINT'),
    })
  expect((await start('outage')).stderr).toBe('')
  expect((await start('outage')).stderr).toBe('')
  expect((await start('empty')).error).toMatchObject({
    warning: 'other_world',
    message: expect.stringContaining('outage'),
  })
})

test('a start with the data of a file that was edited since reports that, until a reset', async () => {
  const cwd = await folder()
  const start = (then?: (url: string) => Promise<unknown>) =>
    sandboxCommand(['start', '--port', '0', '--world', 'shop.yaml'], {
      cwd,
      onOutput: (text, stop) => void Promise.resolve(then?.(JSON.parse(text).url)).then(() => stop('SIGINT')),
    })
  const write = (balance: number) => writeFileSync(join(cwd, 'shop.yaml'), `billing: { balance: ${balance} }\n`)
  write(3)
  expect((await start()).stderr).toBe('')
  expect((await start()).stderr).toBe('')
  write(7)
  const reset = (url: string) => sandboxCommand(['world', 'reset'], { env: { SANDBOX_BASE_URL: url } })
  expect((await start(reset)).error).toMatchObject({ warning: 'edited_world' })
  expect((await start()).stderr).toBe('')
})
