import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { holdMachineClock } from '../machine-clock.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

/** Runs `sandbox contacts import` on a file with this content. */
async function importing(
  sandbox: Pick<Sandbox, 'url'>,
  name: string,
  content: string | Buffer,
  { args = [], tty = false }: { args?: string[]; tty?: boolean } = {},
) {
  const cwd = await folder()
  await writeFile(join(cwd, name), content)
  return sandboxCommand(['contacts', 'import', name, ...args], { cwd, tty, env: { SANDBOX_BASE_URL: sandbox.url } })
}

const nowhere = { url: 'http://localhost:1' }

test('a CSV file becomes contacts, with tags, own fields and empty cells', async () => {
  await using sandbox = await createSandbox()
  const csv =
    '\ufeffemail, phone ,first_name,tags,custom_fields.plan\r\nada@example.com,,"Ada, ""Countess""",vip; spring ;,0042\r\n'
  const got = await importing(sandbox, 'people.CSV', csv)
  expect(got).toMatchObject({ code: 0, stderr: '' })
  expect(got.json).toEqual({ imported: 1, updated: 0, skipped: 0, errors: [] })
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  expect(await sandbox.client.contacts.get(id)).toMatchObject({
    phone: null,
    first_name: 'Ada, "Countess"',
    tags: ['vip', 'spring'],
    custom_fields: { plan: '0042' },
    source: 'IMPORT',
  })
})

test('rows that are refused are listed with their lines, the others are taken, and the exit code is 4', async () => {
  await using sandbox = await createSandbox()
  const csv = [
    'email,first_name',
    'ada@example.com,"two',
    'lines"',
    'nonsense,Bob',
    '',
    'cy@example.com',
    'dan@example.com,Dan',
    ',Eve',
  ].join('\n')
  const got = await importing(sandbox, 'people.csv', csv)
  expect(got.code).toBe(4)
  expect(got.json).toEqual({
    imported: 2,
    updated: 0,
    skipped: 3,
    errors: [
      { line: 4, field: 'email', message: expect.stringContaining('email address') },
      { line: 6, field: '', message: 'has 1 cells, but the first line has 2' },
      { line: 8, field: 'email', message: 'pass email, phone or both' },
    ],
  })
  const shown = await importing(sandbox, 'people.csv', csv, { tty: true })
  expect(shown).toMatchObject({ code: 4 })
  expect(shown.stdout).toMatch(/^! 0 new, 2 updated, 3 refused\n {2}line 4 {2}email: .*\n {2}line 6 {2}has 1 cells/)
})

test('a row is named by its first line, with line breaks of Windows in cells too', async () => {
  await using sandbox = await createSandbox()
  const csv = 'email,first_name\r\nada@example.com,"two\r\nlines"\r\n\r\nnonsense,Bob\r\n'
  expect((await importing(sandbox, 'people.csv', csv)).json).toMatchObject({ imported: 1, errors: [{ line: 5 }] })
})

test('an unknown column stops the import before anything is sent', async () => {
  const cases: readonly [header: string, message: RegExp, hint: RegExp][] = [
    ['email,frist_name', /"frist_name".*did you mean "first_name"\?/, /Columns: external_id, email/],
    ['email;first_name', /"email;first_name"/, /--delimiter ";"/],
    ['email,email', /two columns "email"/, /./],
    ['first_name,tags', /no column email or phone/, /Columns/],
    ['email,custom_fields.', /"custom_fields\."/, /./],
  ]
  for (const [header, message, hint] of cases) {
    const { code, stdout, error } = await importing(nowhere, 'people.csv', `${header}\na@example.com,x`)
    expect({ header, code, stdout }).toEqual({ header, code: 2, stdout: '' })
    expect(error.message).toMatch(message)
    if (hint.source !== '.') expect(error.hint).toMatch(hint)
  }
})

test('cells can have another separator, which the error suggests even if they are in quotes', async () => {
  await using sandbox = await createSandbox()
  const csv = 'email;tags\nada@example.com;"a;b"'
  expect((await importing(sandbox, 'people.csv', csv)).error).toMatchObject({
    hint: 'Is it separated by ";"? Pass --delimiter ";".',
  })
  const got = await importing(sandbox, 'people.csv', csv, { args: ['--delimiter', ';'] })
  expect(got.json).toMatchObject({ imported: 1 })
  expect(await sandbox.client.contacts.create({ email: 'ada@example.com' })).toMatchObject({ tags: ['a', 'b'] })
})

test('text that is not UTF-8 is refused row by row', async () => {
  await using sandbox = await createSandbox()
  const csv = Buffer.concat([
    Buffer.from('email,last_name\nada@example.com,M'),
    Buffer.from([0xfc]),
    Buffer.from('ller\nbob@example.com,Meier\n'),
  ])
  expect((await importing(sandbox, 'people.csv', csv)).json).toEqual({
    imported: 1,
    updated: 0,
    skipped: 1,
    errors: [{ line: 2, field: 'last_name', message: 'is not UTF-8 text' }],
  })
  const bigEndian = Buffer.from('\ufeffemail\nada@example.com\n', 'utf16le').swap16()
  expect(await importing(sandbox, 'people.csv', bigEndian)).toMatchObject({
    code: 2,
    error: { message: 'people.csv is not UTF-8 text.' },
  })
})

test('a JSON file is an array of contacts or the body of the request; rows are named by their index', async () => {
  await using sandbox = await createSandbox()
  const rows = [{ email: 'ada@example.com', custom_fields: { visits: 3 } }, 7, { email: 'bob@example.com', nick: 'B' }]
  for (const [content, counts] of [
    [rows, { imported: 1, updated: 0 }],
    [{ contacts: rows }, { imported: 0, updated: 1 }],
  ] as const) {
    const got = await importing(sandbox, 'people.json', JSON.stringify(content))
    expect(got.code).toBe(4)
    expect(got.json).toMatchObject({
      ...counts,
      skipped: 2,
      errors: [
        { index: 1, message: 'must be an object' },
        { index: 2, field: 'nick' },
      ],
    })
  }
})

test('many rows are sent in several requests, and people see a progress bar', async () => {
  await using sandbox = await createSandbox()
  const csv = `email\n${Array.from({ length: 1_201 }, (_, i) => `person-${i}@example.com`).join('\n')}\n`
  const got = await importing(sandbox, 'people.csv', csv, { tty: true })
  expect(got).toMatchObject({ code: 0, stdout: '✓ 1201 new, 0 updated, none refused\n' })
  const frames = got.stderr.split('\r').filter((frame) => frame.includes('contacts'))
  expect(frames.map((frame) => /([\d,]+) contacts/.exec(frame)?.[1])).toEqual(['500', '1,000', '1,201'])
  expect(frames.map((frame) => frame.split('█').length - 1)).toEqual([10, 20, 24])
})

test('rows that are large together are sent in several requests; one that no service takes is refused', async () => {
  await using sandbox = await createSandbox()
  const custom_fields = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, 'x'.repeat(1000)]))
  const contacts = Array.from({ length: 30 }, (_, i) => ({ email: `person-${i}@example.com`, custom_fields }))
  const large = { email: 'large@example.com', first_name: 'x'.repeat(2_000_000) }
  expect(await importing(sandbox, 'people.json', JSON.stringify([...contacts, large]))).toMatchObject({
    code: 4,
    json: { imported: 30, skipped: 1, errors: [{ index: 30, message: 'must be smaller than 1 MB' }] },
  })
  const csv = `email,first_name\nada@example.com,Ada\nbob@example.com,"Bob\n${'x'.repeat(2_000_000)}`
  expect(await importing(sandbox, 'people.csv', csv)).toMatchObject({
    code: 2,
    error: { message: expect.stringMatching(/row of more than 1 MB/), hint: expect.stringMatching(/quote/) },
  })
})

test('stdin is imported with --format', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['contacts', 'import', '-', '--format', 'csv'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
    stdin: 'email\nada@example.com\n',
  })
  expect(got.json).toMatchObject({ imported: 1 })
})

test('a missing, empty, broken or unsuitable file is a usage error', async () => {
  await using sandbox = await createSandbox()
  expect((await sandboxCommand(['contacts', 'import', 'nothing.csv'])).error.message).toContain('there is no such file')
  const cases: readonly [name: string, content: string, message: RegExp][] = [
    ['people.txt', 'Dear Ada\n', /has an unknown column "Dear Ada"/],
    ['people.csv', '+491713920050,Ada\n', /The first line must name the columns/],
    ['people.csv', '[{"email": "ada@example.com"}]', /If it is JSON, pass --format json/],
    ['people.csv', '', /holds no contacts/],
    ['people.csv', 'email\n', /holds no contacts/],
    ['people.csv', 'email\n"ada@example.com', /is not CSV.*[Qq]uote/],
    ['people.json', '[', /is not JSON/],
    ['people.json', '{"people":[]}', /array of contacts/],
    ['people.json', '[]', /holds no contacts/],
  ]
  for (const [name, content, message] of cases) {
    const { code, error } = await importing(sandbox, name, content)
    expect({ name, content, code }).toEqual({ name, content, code: 2 })
    expect(`${error.message} ${error.hint}`).toMatch(message)
  }
})

test.skipIf(process.platform === 'win32')('a named pipe is read once, and a folder is refused', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const at = { cwd, env: { SANDBOX_BASE_URL: sandbox.url } }
  execFileSync('mkfifo', [join(cwd, 'people')])
  const imported = sandboxCommand(['contacts', 'import', 'people', '--format', 'csv'], at)
  await writeFile(join(cwd, 'people'), 'email\nada@example.com\n')
  expect(await imported).toMatchObject({ code: 0, json: { imported: 1 } })
  for (const words of [[], ['--format', 'csv'], ['--format', 'json']])
    expect(await sandboxCommand(['contacts', 'import', '.', ...words], at)).toMatchObject({
      code: 2,
      error: { message: '. is a folder.' },
    })
})

test('a file that is named with @ where none is needed is refused with the right name', async () => {
  for (const option of ['--data', '--content'])
    expect(await sandboxCommand(['send', '+491713920000', option, '@card.json'])).toMatchObject({
      code: 2,
      error: { hint: 'This option takes the file without @: card.json' },
    })
})

test('an unreachable service is reported as such', async () => {
  expect((await importing(nowhere, 'people.csv', 'email\nada@example.com')).code).toBe(6)
})

test('an interrupted import reports how many rows are done', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true, limits: { other: 1 } })
  const csv = `email\n${Array.from({ length: 501 }, (_, i) => `person-${i}@example.com`).join('\n')}`
  const got = await importing(sandbox, 'people.csv', csv)
  expect(got.code).toBe(11)
  expect(got.error).toMatchObject({ error: 'rate_limit_exceeded' })
  expect(got.stderr).toContain('"imported":500')
})

test('the amount of a top-up is an argument, and a PDF is not printed on a terminal', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  expect((await sandboxCommand(['billing', 'topup', '50'], at)).json).toMatchObject({
    amount: 50,
    balance: { free: 1050 },
  })
  expect((await sandboxCommand(['billing', 'topup', 'fifty'], at)).code).toBe(2)
  expect((await sandboxCommand(['billing', 'invoice-pdf', 'inv_1'], { ...at, tty: true })).code).toBe(2)
})

test('the format of stdin, and of a file without a known name, is recognised by the content', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const contents = {
    csv: '\ufeff\n email\nada@example.com\n',
    array: ' \n[{"email": "bob@example.com"}]',
    body: '{"contacts": [{"email": "cy@example.com"}]}',
  }
  for (const [name, stdin] of Object.entries(contents)) {
    const piped = await sandboxCommand(['contacts', 'import', '-'], { env, stdin })
    expect({ name, code: piped.code, imported: piped.json.imported }).toEqual({ name, code: 0, imported: 1 })
    const named = await importing(sandbox, name, stdin)
    expect(named, named.stderr).toMatchObject({ code: 0 })
    expect(named.json).toMatchObject({ updated: 1 })
  }
  const empty = await sandboxCommand(['contacts', 'import', '-'], { env, stdin: '' })
  expect({ code: empty.code, message: empty.error.message }).toEqual({ code: 2, message: 'stdin holds no contacts.' })
})
