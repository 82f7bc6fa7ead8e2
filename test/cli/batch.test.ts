import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

const phones = (from: number, count: number) => Array.from({ length: count }, (_, i) => `+4917139200${from + i}`)
const lines = (requests: readonly object[]) => requests.map((one) => `${JSON.stringify(one)}\n`).join('')

async function batch(url: string) {
  const cwd = await folder()
  return {
    write: (name: string, text: string) => writeFile(join(cwd, name), text),
    run: (line: string, options: Parameters<typeof sandboxCommand>[1] = {}) =>
      sandboxCommand([...line.split(' '), '--live', '--base-url', url], { cwd, ...options }),
  }
}

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('a row of CSV is named by its first line in the file, with line breaks in cells too: %s', async (_, nl) => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write(
    'm.csv',
    ['\ufeffto,text', '', '+491713920050,"Grüße', '', 'Ada"', '', '+491713920051,x', '+4917,y'].join(nl),
  )
  const { lines: reported } = await run('send --batch m.csv --dry-run')
  expect(reported.map(({ line }) => line)).toEqual([3, 7, 8])
})

test('people see three rows of a long file for each reason, and how many there are', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write(
    'm.csv',
    `to,text\n${phones(50, 18).join(',x\n')},x\n${['40', '40', '40', '40'].map((end) => `+4917139200${end},x\n`).join('')}x,x\n`,
  )
  const { stdout, stderr } = await run('send --batch m.csv --output table')
  expect(stdout.match(/line \d+ .* msg_/g)).toHaveLength(3)
  expect(stdout.match(/line \d+ .* recipient_suppressed/g)).toHaveLength(3)
  expect(stdout).toContain('line 24')
  expect(stderr).toContain('Not shown: 15 more sent, 1 more refused (recipient_suppressed). --output ndjson prints')
  const rehearsed = await run('send --batch m.csv --output table --dry-run')
  expect(rehearsed.stdout.match(/sent before/g)).toHaveLength(3)
  expect(rehearsed.stderr).toContain('15 more sent before, 1 more refused (recipient_suppressed)')
})

test('each line of a JSON lines file is sent, and a refused line does not stop the others', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  const [first, second] = phones(50, 2)
  await write(
    'messages.ndjson',
    `${lines([{ to: first, text: 'One' }])}\n${lines([{ to: '+491713920040', text: 'No' }])}{"to": "x"\n${lines([{ to: second, content: { text: 'Two' } }])}`,
  )
  const { code, lines: reported, error } = await run('send --batch messages.ndjson')
  expect(code).toBe(4)
  // In the order of the file, though the third row is refused before anything is sent.
  expect(reported).toMatchObject([
    { line: 1, to: first, outcome: 'sent', message_id: expect.stringMatching(/^msg_/), hold_amount: 0.05 },
    { line: 3, outcome: 'refused', error: 'recipient_suppressed', http_status: 422 },
    { line: 4, outcome: 'refused', message: expect.stringContaining('not JSON') },
    { line: 5, to: second, outcome: 'sent' },
  ])
  expect(error).toMatchObject({ type: 'batch', sent: 2, refused: 2, left: 0 })
  expect((await sandbox.client.messages.list()).messages).toHaveLength(2)
})

test('a CSV file names recipients and variables, and flags apply to all rows', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('people.csv', `to,var.name,var.eta\n${phones(50, 3).join(',Ada,noon\n')},Bob,one\n`)
  const { code, lines: reported } = await run(
    'send --batch people.csv --template tpl_00000000-0000-4000-8000-000000000002 --concurrency 2',
  )
  expect({ code, sent: reported.length }).toEqual({ code: 0, sent: 3 })
  const { messages } = await sandbox.client.messages.list()
  expect(messages.map(({ template_id }) => template_id)).toEqual(
    Array(3).fill('tpl_00000000-0000-4000-8000-000000000002'),
  )
})

test('cells can have another separator, which the error suggests', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('m.csv', 'to;text\n+491713920050;"Hi; you"\n')
  expect((await run('send --batch m.csv')).error).toMatchObject({
    hint: 'Is it separated by ";"? Pass --delimiter ";".',
  })
  const { lines: reported } = await run('send --batch m.csv --delimiter ;')
  expect(reported).toMatchObject([{ line: 2, to: '+491713920050', outcome: 'sent' }])
})

test('a field that is given twice is refused, because the later value would replace the earlier one', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  const twice = '{"to":"+491713920050","to":"+491713920051","text":"Hi"}'
  await write('m.ndjson', `${twice}\n`)
  const { code, lines: reported } = await run('send --batch m.ndjson')
  expect({ code, reported }).toMatchObject({
    code: 4,
    reported: [{ line: 1, outcome: 'refused', message: 'It is ambiguous: to is given twice; give it once.' }],
  })
  await write('contacts.json', '[{"email":"a@example.com","email":"b@example.com"}]')
  const misuse = [
    `send --content-json ${twice}`,
    `send --data ${twice}`,
    'contacts import contacts.json',
    `api post /v1/messages --data ${twice}`,
  ]
  for (const line of misuse) {
    const { code, error } = await run(line)
    expect({ line, code, message: error.message }).toEqual({
      ...{ line, code: 2 },
      message: expect.stringMatching(/is ambiguous: \S+ is given twice; give it once\.$/),
    })
  }
})

test('a JSON array is refused as such, not as an unknown column', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('messages.json', JSON.stringify([{ to: phones(50, 1)[0], text: 'x' }]))
  const { code, error } = await run('send --batch messages.json')
  expect({ code, error }).toMatchObject({
    code: 2,
    error: {
      message: expect.stringMatching(/^messages\.json begins with "\["/),
      hint: expect.stringContaining('jq -c'),
    },
  })
})

test('JSON that is nested too deeply to be sent is refused by line, file or option', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  const deep = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`
  await write('m.ndjson', `{"to":"${phones(50, 1)[0]}","text":${deep}}`)
  const { code, lines: reported } = await run('send --batch m.ndjson')
  const message = expect.stringMatching(/ is nested too deeply \(limit: 2048 levels\)\.$/)
  expect({ code, reported }).toMatchObject({ code: 4, reported: [{ line: 1, outcome: 'refused', message }] })
  await write('deep.json', `{"text":${deep}}`)
  await write('contacts.json', `[{"email":"a@example.com","custom_fields":${deep}}]`)
  const misuse = [
    'send +491713920050 --content deep.json',
    `send +491713920050 --content-json {"text":${deep}}`,
    'contacts import contacts.json',
    'send --data deep.json',
  ]
  for (const line of misuse) {
    const { code, error } = await run(line)
    expect({ line, code, error }).toMatchObject({ line, code: 2, error: { message } })
  }
})

test('the same file again sends nothing twice, and --resume sends what is missing', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  const rows = phones(50, 4).map((to) => ({ to, text: 'Once' }))
  await write('messages.ndjson', lines(rows.slice(0, 2)))
  expect((await run('send --batch messages.ndjson')).code).toBe(0)
  await write('messages.ndjson', lines(rows.toReversed()))
  // The last row was not sent, so this run continues there; the order of the fields makes no difference.
  const resumed = await run('send --batch messages.ndjson --resume')
  expect(resumed.error).toMatchObject({ sent: 2, sent_before: 2, left: 0 })
  const again = await run('send --batch messages.ndjson')
  expect(again).toMatchObject({ code: 2, error: { message: expect.stringContaining('was sent already') } })
  expect((await sandbox.client.messages.list()).messages).toHaveLength(4)
  expect((await run('send --batch messages.ndjson --batch-name monday')).code).toBe(0)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(8)
})

test('Ctrl-C completes the sends in progress, and --resume continues', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('messages.ndjson', lines(phones(50, 20).map((to) => ({ to, text: 'Once' }))))
  let reported = 0
  const stopped = await run('send --batch messages.ndjson --concurrency 2', {
    onOutput: (_, stop) => ++reported === 5 && stop('SIGINT'),
  })
  expect(stopped.code).toBe(130)
  const before = (await sandbox.client.messages.list({ limit: 200 })).messages.length
  expect(stopped.lines).toHaveLength(before)
  expect(stopped.error).toMatchObject({ sent: before, left: 20 - before, hint: expect.stringContaining('--resume') })
  const resumed = await run('send --batch messages.ndjson --resume')
  expect(resumed).toMatchObject({ code: 0, error: { sent: 20 - before, sent_before: before } })
  expect((await sandbox.client.messages.list({ limit: 200 })).messages).toHaveLength(20)
})

test('a row without an answer is marked as such, and sent once by --resume', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const { write, run } = await batch(service.url)
  const agent = '--agent ag_live_00000000-0000-4000-8000-000000000001 --message-type MESSAGE --traffic-type TRANSACTION'
  await write('messages.ndjson', lines(phones(50, 3).map((to) => ({ to, text: 'Once' }))))
  service.next('answer lost')
  const lost = await run(`send --batch messages.ndjson --no-retry ${agent}`)
  expect(lost).toMatchObject({ code: 6, error: { unanswered: 1, sent: 2 } })
  const resumed = await run(`send --batch messages.ndjson --resume ${agent}`)
  expect(resumed).toMatchObject({ code: 0, error: { sent_before: 3 } })
  expect((await sandbox.client.messages.list()).messages).toHaveLength(3)
})

test.each([429, 503])(
  'a row that gets %i after all retries is temporarily refused, and sent by --resume',
  async (status) => {
    await using sandbox = await createSandbox()
    const { write, run } = await batch(sandbox.url)
    const rows = [...phones(50, 2), '+491713920040'].map((to) => ({ to, text: 'Once' }))
    await write('messages.ndjson', lines(rows))
    await run(`faults add --route messages.send --status ${status} --times 1`)
    const interrupted = await run('send --batch messages.ndjson --no-retry')
    expect(interrupted.lines).toContainEqual(
      expect.objectContaining({ line: 1, outcome: 'temporarily_refused', http_status: status }),
    )
    expect(interrupted).toMatchObject({
      code: 11,
      error: { sent: 1, refused: 1, temporarily_refused: 1, left: 0, hint: expect.stringContaining('--resume') },
    })
    const resumed = await run('send --batch messages.ndjson --resume')
    expect(resumed).toMatchObject({ code: 4, error: { sent: 1, sent_before: 1, refused: 1, temporarily_refused: 0 } })
  },
)

test('a wrong key ends the batch with the exit code of a wrong key', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('messages.ndjson', lines(phones(50, 3).map((to) => ({ to, text: 'Hello' }))))
  const { code, stdout, error } = await run('send --batch messages.ndjson --concurrency 1 --api-key wrong')
  expect({ code, stdout, error }).toMatchObject({ code: 3, stdout: '', error: { error: 'unauthorized', exit_code: 3 } })
})

test('an empty balance ends the batch and reports what is left to send', async () => {
  await using sandbox = await createSandbox({ world: 'low-balance' })
  const { write, run } = await batch(sandbox.url)
  await write('messages.ndjson', lines(phones(50, 40).map((to) => ({ to, text: 'Hello' }))))
  const { code, error } = await run('send --batch messages.ndjson --concurrency 1')
  expect({ code, error }).toMatchObject({ code: 4, error: { refused: 1 } })
  expect(error.left).toBeGreaterThan(0)
})

test('a dry run reports the outcome and price of each row, and sends none', async () => {
  await using sandbox = await createSandbox({ world: 'low-balance' })
  const { write, run } = await batch(sandbox.url)
  await sandbox.client.rules.add({ name: 'spam', match: { traffic_type: 'PROMOTION' }, behaviour: { read: true } })
  const { free } = await sandbox.client.billing.balance()
  const affordable = Math.floor(free / 0.05)
  const without = { to: '+491713920040', text: 'Hello' }
  const broken = { to: '+491713920050', text: 'Hello', ttl: '3 days' }
  await write(
    'messages.ndjson',
    lines([without, broken, ...phones(50, affordable + 1).map((to) => ({ to, text: 'Hello' }))]),
  )
  const { code, lines: reported, error } = await run('send --batch messages.ndjson --dry-run')
  expect(code).toBe(4)
  expect(reported.slice(0, 3)).toMatchObject([
    {
      ...{ line: 1, outcome: 'refused', error: 'missing_consent', http_status: 422 },
      commands: expect.arrayContaining([expect.stringContaining('sandbox consent grant')]),
    },
    { line: 2, outcome: 'refused', error: 'validation_error', message: expect.stringContaining('ttl') },
    {
      ...{ line: 3, outcome: 'accepted', classification: 'basic_message', hold_amount: 0.05, rule_id: null },
      near_miss: { name: 'spam', says: 'traffic_type is TRANSACTION, not PROMOTION' },
    },
  ])
  // The earlier rows have used it up.
  expect(reported.at(-1)).toMatchObject({ outcome: 'refused', error: 'insufficient_balance' })
  expect(error).toMatchObject({
    ...{ type: 'rehearsal', accepted: affordable, refused: 3, free_before: free },
    hint: expect.stringMatching(/sandbox --base-url \S+ --live billing topup 10$/),
  })
  expect((await sandbox.client.messages.list()).messages).toEqual([])
  expect(await sandbox.client.billing.balance()).toEqual({ free, reserved: 0, total: free })
})

test('a dry run recognises messages that were sent before', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  const rows = phones(50, 3).map((to) => ({ to, text: 'Hello' }))
  await write('messages.ndjson', lines(rows.slice(0, 2)))
  await run('send --batch messages.ndjson')
  await write('messages.ndjson', lines(rows))
  const { code, lines: reported } = await run('send --batch messages.ndjson --resume --dry-run')
  expect({ code, reported: reported.map(({ outcome }) => outcome) }).toEqual({
    code: 0,
    reported: ['sent_before', 'sent_before', 'accepted'],
  })
})

test('for a service that is not a sandbox, a dry run reports that it checked the form only', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const { write, run } = await batch(service.url)
  const agent = '--agent ag_live_00000000-0000-4000-8000-000000000001 --message-type MESSAGE --traffic-type TRANSACTION'
  await write(
    'messages.ndjson',
    lines([
      { to: '+491713920040', text: 'No' },
      { to: '+491713920050', ttl: 'x', text: '' },
    ]),
  )
  const { code, lines: reported, error } = await run(`send --batch messages.ndjson --dry-run ${agent}`)
  expect({ code, reported }).toMatchObject({
    code: 4,
    reported: [{ outcome: 'well_formed' }, { error: 'validation_error' }],
  })
  expect(error.hint).toContain('is not a sandbox: only the form')
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test('--curl shows each row as a curl command', async () => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('messages.ndjson', lines(phones(50, 2).map((to) => ({ to, text: 'Hello' }))))
  const { code, stdout } = await run('send --batch messages.ndjson --curl')
  expect({ code, calls: stdout.match(/^curl /gm) }).toEqual({ code: 0, calls: ['curl ', 'curl '] })
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test.each([
  ['send --batch nowhere.csv', 'no such file'],
  ['send --batch wrong.csv', 'unknown column "txet", did you mean "text"?'],
  ['send --batch bare.csv --text x', 'unknown column "+491713920050"'],
  ['send --batch ragged.csv', 'Line 3 of ragged.csv has 3 cells, but the first line has 2.'],
  ['send --batch twice.csv --text x', 'has two columns "to"'],
  ['send --batch variables.csv', 'has two columns "var.name"'],
  ['send --batch empty.csv', 'holds no messages'],
  ['send +491713920050 --batch messages.ndjson', 'for one'],
  ['send --batch messages.ndjson --concurrency 0', 'at least 1'],
])('sandbox %s is misuse', async (line, message) => {
  await using sandbox = await createSandbox()
  const { write, run } = await batch(sandbox.url)
  await write('wrong.csv', 'to,txet\n+491713920050,Hi\n')
  await write('bare.csv', '+491713920050\n')
  await write('ragged.csv', 'to,text\n+491713920050,Hi\n+491713920051,Hi, Ada\n')
  await write('twice.csv', 'to, to\n+491713920050,+491713920051\n')
  await write('variables.csv', 'to,var.name,var.name\n+491713920050,Ada,Bob\n')
  await write('empty.csv', 'to,text\n')
  await write('messages.ndjson', lines([{ to: '+491713920050', text: 'Hi' }]))
  const { code, error } = await run(line)
  expect({ code, message: error.message }).toEqual({ code: 2, message: expect.stringContaining(message) })
})
