import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { remedyOf } from '../../src/cli/failure/remedies.ts'
import { withProgramName } from '../../src/cli/generate/with-program-name.ts'
import { problems } from '../../src/words/problem.ts'
import { agents, campaigns, phones, rcsText, templates } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

/** The words of a command line with quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!)

test('an error names the option that was typed, and the place within its value', async () => {
  await using sandbox = await createSandbox()
  const refusalOf = async (...argv: string[]) => (await sandboxCommand([...argv, '--base-url', sandbox.url])).error
  const send = ['send', phones.readsAll, '--text', 'Hello']
  expect(await refusalOf(...send, '--agent', 'ag_x')).toMatchObject({
    details: [{ field: 'agent_id', option: '--agent' }],
  })
  const flow = ['--flow', '[{"node":"END","id":"e"}]']
  const define = ['campaigns', 'define', '--name', 'x', '--trigger', 'API', ...flow, '--audience', '{"tagg":"a"}']
  expect(await refusalOf(...define)).toMatchObject({
    details: expect.arrayContaining([expect.objectContaining({ field: 'audience.tagg', option: '--audience (tagg)' })]),
  })
  const people = await sandboxCommand([...send, '--ttl', '31d', '--base-url', sandbox.url], { tty: true })
  expect(people.stderr).toMatch(/^✗ --ttl: must be at most/)
})

test.each([
  ['trigger message.read --message msg_x', 'message_id', '--message'],
  ['trigger mesage.read', 'event', '<event>'],
  ['carriers set nordfunk --delay soon', 'delivery_delay', '--delay'],
  ['carriers set nordfunk --dispatch-delay soon', 'dispatch_delay', '--dispatch-delay'],
  ['carriers set nordfunk --fail REJECTED_SPAM=90% --never 50%', 'failed', '--fail'],
  [`agents set-launch ${agents.multi} nowhere LAUNCHED`, 'carrier', '<carrier>'],
  [`agents set-launch ${agents.multi} nordfunk LAUNCHED --reason x`, 'rejection_reason', '--reason'],
  ['events replay evt_x --endpoint x', 'endpoint_id', '--endpoint'],
  ['events replay --events message.raed', 'event[0]', '--events'],
  ['events tail --since soon', 'since', '--since'],
  ['logs --follow --status 9xx', 'status', '--status'],
  ['expect message.raed', 'event[0]', '<event>'],
  ['listen --forward-to message.raed=3000', 'event[0]', '--forward-to'],
])('a command written by hand names what was typed: %s', async (line, field, option) => {
  await using sandbox = await createSandbox()
  const { error } = await sandboxCommand([...line.split(' '), '--base-url', sandbox.url])
  expect(error).toMatchObject({ error: 'validation_error', details: [{ field, option }] })
})

test('fields of a body are not named as options', async () => {
  await using sandbox = await createSandbox()
  const body = JSON.stringify({ message_id: 'msg_x' })
  const argv = ['trigger', 'message.read', '--data', '-', '--base-url', sandbox.url]
  const { error } = await sandboxCommand(argv, { stdin: body })
  expect(error.details).toEqual([expect.not.objectContaining({ option: expect.anything() })])
})

test('commands in hints lead to the same service', async () => {
  await using sandbox = await createSandbox()
  const flags = ['--base-url', sandbox.url, '--api-key', 'sk_sandbox_zz']
  const sent = await sandboxCommand(['send', phones.readsAll, '--text', 'Hello', ...flags], { tty: true })
  expect(sent.stdout).toContain(`sandbox ${flags.join(' ')} messages watch msg_`)
  const refused = await sandboxCommand(['send', phones.noContact, '--text', 'Hello', ...flags])
  expect(refused.error.commands).toEqual([
    expect.stringContaining(`sandbox ${flags.join(' ')} contacts create --phone`),
    expect.stringContaining(`sandbox ${flags.join(' ')} consent grant`),
  ])
  const found = await sandboxCommand(['send', phones.readsAll, '--text', 'Hello'], {
    tty: true,
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(found.stdout).toContain('sandbox messages watch msg_')
})

test('a --query that matches nothing lists the existing fields', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { code, stdout, stderr } = await sandboxCommand(['billing', 'balance', '--query', 'fre'], { env })
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'null' })
  const message = '--query fre matches nothing. Did you mean free?'
  expect(JSON.parse(stderr)).toMatchObject({ message, fields: ['free', 'reserved', 'total'] })
})

test('an id in the quotes of JSON is refused before any call', async () => {
  const command = (...argv: string[]) => sandboxCommand(argv, { env: { SANDBOX_BASE_URL: 'http://localhost:1' } })
  for (const argv of [
    ['agents', 'submit', `"${agents.multi}"`],
    ['wait', '--campaign', `"${campaigns.demo}"`, '--status', 'RUNNING'],
  ])
    expect(await command(...argv)).toMatchObject({
      code: 2,
      error: { message: `The id ${argv.find((word) => word.startsWith('"'))} has quotes around it.` },
    })
})

test('a --query of a field without a value gives null and no warning', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const ask = (query: string) =>
    sandboxCommand(['messages', 'get', 'last', '--query', query], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(await ask('failure_reason')).toMatchObject({ json: null, stderr: '' })
  expect((await ask('content.status')).stderr).toContain('matches nothing')
})

test.each([
  [['agents', 'get', agents.multi], 'id', 'agent_id'],
  [['world', 'show'], 'recipients', 'magic_recipients'],
])(
  'a --query of a field by a part of its name suggests the one field that has it: %j %s',
  async (argv, query, field) => {
    await using sandbox = await createSandbox()
    const { stderr } = await sandboxCommand([...argv, '--query', query], { env: { SANDBOX_BASE_URL: sandbox.url } })
    expect(JSON.parse(stderr).message).toBe(`--query ${query} matches nothing. Did you mean ${field}?`)
  },
)

test('a --query of a list that is empty is no mistake, and one that selects nothing may be', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const ask = (...argv: string[]) => sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(await ask('explain', 'last', '--query', 'near_misses')).toMatchObject({ json: [], stderr: '' })
  expect(await ask('webhooks', 'list', '--query', 'data[].id')).toMatchObject({ json: [], stderr: '' })
  expect(await ask('webhooks', 'list', '--query', 'data[0].id')).toMatchObject({ json: null, stderr: '' })
  const people = ['campaigns', 'contacts', '00000000-0000-4000-8000-000000000101']
  expect(await ask(...people, '--query', 'reasons[].{why: reason}')).toMatchObject({ json: [], stderr: '' })
  const selecting = await ask('messages', 'list', '--query', "messages[?status=='READ'].id")
  expect(JSON.parse(selecting.stderr)).toMatchObject({ warning: 'query_matches_nothing' })
})

test('a --query that matches none of several values says so at the end', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const ask = (line: string) => sandboxCommand(line.split(' '), { env: { SANDBOX_BASE_URL: sandbox.url } })
  const tail = 'events tail --since start --limit 1 --query'
  const { stdout, error } = await ask(`${tail} events[].seq`)
  expect(stdout).toBe('')
  expect(error).toMatchObject({ warning: 'query_matches_nothing', fields: expect.arrayContaining(['seq', 'data']) })
  const found = await ask(`${tail} data.message_id`)
  expect(found.stderr).not.toContain('query_matches_nothing')
  expect(found.json).toMatch(/^msg_/)
})

test('logs selects from its list, as other lists do', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const ask = (query: string) => sandboxCommand(['logs', '--query', query], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(await ask('requests[].{path: path, status: status}')).toMatchObject({
    json: [{ path: '/v1/messages', status: 200 }],
    stderr: '',
  })
  expect((await ask('status')).error).toMatchObject({ warning: 'query_matches_nothing' })
})

test('a --query with one wrong field names it and lists the existing fields', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const list = (query: string) =>
    sandboxCommand(['messages', 'list', '--query', query], { env: { SANDBOX_BASE_URL: sandbox.url } })
  const wrong = await list('messages[].{id: message_id, to: to}')
  expect({ code: wrong.code, json: wrong.json }).toEqual({ code: 0, json: [{ id: null, to: phones.readsAll }] })
  expect(JSON.parse(wrong.stderr)).toMatchObject({
    message: '--query: no record has the field message_id. Did you mean id?',
    fields: expect.arrayContaining(['messages', 'messages[].id']),
  })
  const right = await list("messages[?status=='queued'].{it: id, to: to} | [].it")
  expect({ json: right.json, stderr: right.stderr }).toEqual({ json: [message_id], stderr: '' })
})

test('a template without its variables names the option for them', async () => {
  await using sandbox = await createSandbox()
  const argv = ['send', phones.readsAll, '--template', templates.deliveryNotice]
  const { error } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error).toMatchObject({ error: 'template_data_missing', hint: expect.stringContaining('--var name=') })
})

test('an unknown event and an unknown field are wrong command lines', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (const argv of [
    ['expect', 'message.red'],
    ['events', 'list', '--event', 'message.red'],
    ['trigger', 'message.red', '--phone', phones.readsAll],
    ['expect', 'message.read', '--where', 'nosuchfield'],
    ['api', 'POST', '/v1/contacts', '-d', '{"emial": "ada@example.com"}'],
  ])
    expect({ argv, code: (await sandboxCommand(argv, { env })).code }).toEqual({ argv, code: 2 })
})

test('an unknown field without a near match is refused with the list of fields', async () => {
  await using sandbox = await createSandbox()
  const argv = ['api', 'PUT', '/_sandbox/billing/balance', '-d', '{"euros": 3, "free": 1}']
  const { error } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error.message).toContain('unknown field; fields: free')
})

test('on a terminal a command asks before it destroys data of a service, and not at a sandbox of this machine', async () => {
  const deleted: string[] = []
  const service = createServer((req, res) => {
    if (req.method === 'DELETE') deleted.push(req.url!)
    const isContact = req.url!.startsWith('/v1/contacts/')
    res.writeHead(isContact ? 200 : 404, { 'content-type': 'application/json' })
    res.end(isContact ? '{"success":true}' : '{"error":"not_found","message":"Not found."}')
  })
  const url = await urlOf(service)
  const argv = ['contacts', 'delete', 'ada-1', '--base-url', url, '--api-key', 'sk_live_1', '--live']
  const question = `Delete a contact and its consent records ada-1 at ${url}?`
  const no = await sandboxCommand(argv, { tty: true, answers: { [question]: 'no' } })
  expect({ code: no.code, questions: no.questions, deleted }).toEqual({ code: 2, questions: [question], deleted: [] })
  expect((await sandboxCommand(argv, { tty: true, answers: { [question]: 'yes' } })).code).toBe(0)
  expect((await sandboxCommand([...argv, '--yes'], { tty: true })).code).toBe(0)
  expect((await sandboxCommand(argv)).code).toBe(0)
  expect(deleted).toHaveLength(3)
  await using sandbox = await createSandbox()
  const local = await sandboxCommand(['contacts', 'delete', 'magic-50', '--base-url', sandbox.url], { tty: true })
  expect({ code: local.code, questions: local.questions }).toEqual({ code: 0, questions: [] })
})

test('agents set-launch --all launches an agent on every carrier', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const id = 'ag_live_00000000-0000-4000-8000-000000000006'
  const { json } = await sandboxCommand(['agents', 'set-launch', id, '--all', 'launched'], { env })
  expect((json.carriers as { status: string }[]).map(({ status }) => status)).toEqual([
    'LAUNCHED',
    'LAUNCHED',
    'LAUNCHED',
  ])
  expect((await sandboxCommand(['agents', 'set-launch', id, 'nordfunk'], { env })).code).toBe(2)
  const [now, before] = await Promise.all(
    ['launch-status', 'launch'].map((name) => sandboxCommand(['agents', name, id], { env })),
  )
  expect(now!.stdout).toBe(before!.stdout)
  expect((await sandboxCommand(['agents', '--help'])).stdout).not.toMatch(/^ {2}launch /m)
})

test('the carriers that help names are those of the default world', async () => {
  await using sandbox = await createSandbox()
  const help = (await sandboxCommand(['handsets', '--help'])).stdout.replace(/\s+/g, ' ')
  const carrierOf = async (phone: string) => (await sandbox.client.handsets.show(phone)).carrier
  expect(help).toContain(
    `+491713920050 is on ${await carrierOf('+491713920050')}, …51 on ${await carrierOf('+491713920051')}`,
  )
  expect(help).toContain(`…53 on ${await carrierOf('+491713920053')}`)
})

test('status ends with 6 when nothing answers', async () => {
  expect((await sandboxCommand(['status', '--base-url', 'http://127.0.0.1:1'])).code).toBe(6)
})

test.each([
  [['tail'], 'sandbox events tail'],
  [['advance', '1h'], 'sandbox clock advance'],
  [['replay', '42'], 'sandbox events replay'],
  [['whoami'], 'sandbox status'],
  [['login'], 'sandbox profile add'],
] as const)('a command of another noun is suggested: %j', async (argv, command) => {
  const { code, error } = await sandboxCommand(argv)
  expect(code).toBe(2)
  expect(error.hint).toContain(`${command}`)
})

test('a suggestion ends with exactly one punctuation mark', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { error } = await sandboxCommand(['expect', 'message.read', '--where', 'data.too=1'], { env })
  expect(error.message).toMatch(/did you mean "to"\?$/)
  const url = await sandboxCommand(['status', '--base-url', '//localhost'])
  expect(url.error.hint).toBe('Did you mean http://localhost?')
  const withoutColon = await sandboxCommand(['status', '--base-url', 'https//example.com'])
  expect(withoutColon.error.hint).toBe('Did you mean https://example.com?')
})

test('a text is searched without an option, and a list of events says that the position names an event', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await sandboxCommand(['send', phones.readsAll, '--text', 'A parcel'], { env })
  expect((await sandboxCommand(['messages', 'search', 'parcel'], { env })).json.messages).toHaveLength(1)
  expect((await sandboxCommand(['events', 'list'], { env, tty: true, columns: 80 })).stdout).toContain('events replay')
})

test('completion knows events, operations and contacts', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  for (const [words, value] of [
    [['expect', 'message.re'], 'message.read'],
    [['listen', '--events', 'email.'], 'email.bounced'],
    [['faults', 'add', '--route', 'messages.se'], 'messages.send'],
    [['contacts', 'get', 'magic-0'], 'magic-00'],
    [['consent', 'list', 'magic-4'], 'magic-40'],
  ] as const)
    expect((await sandboxCommand(['complete', '--', ...words], { env })).stdout).toContain(`${value}\t`)
})

test('a 404 for an unknown route does not blame the id or the key', async () => {
  await using sandbox = await createSandbox()
  const hintOf = async (...argv: string[]) =>
    (await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })).error.hint
  expect(await hintOf('api', '/v1/nope?limit=1')).toMatch(/^The service has no such route\./)
  expect(await hintOf('api', '/v1/messages/msg_none')).toContain('Check the id')
  expect(await hintOf('messages', 'get', 'msg_none')).toContain('Check the id')
})

test('hints name commands instead of routes, and these commands exist', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  await sandboxCommand(['snapshots', 'save', 'one'], { env })
  const { error } = await sandboxCommand(['snapshots', 'save', 'one'], { env })
  expect(error).toMatchObject({
    error: 'snapshot_exists',
    hint: 'Use another name, or delete the snapshot first with "sandbox snapshots delete <name>".',
  })
  expect((await sandboxCommand(['snapshots', 'delete', 'one'], { env })).code).toBe(0)
  for (const code of Object.keys(problems)) {
    const { hint = '' } = remedyOf({ status: 409, code, body: {}, details: [] })
    expect(hint).not.toMatch(/\b[A-Z]{3,6} \//)
    for (const [, words = ''] of hint.matchAll(/"sandbox ([a-z -]+)/g))
      expect({ words, code: (await sandboxCommand([...words.trim().split(' '), '--help'])).code }).toEqual({
        words,
        code: 0,
      })
  }
})

test('an invalid id is refused with all valid forms', async () => {
  await using sandbox = await createSandbox()
  const argv = ['send', phones.readsAll, '--text', 'Hello', '--agent', 'shop']
  const { error } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error.message).toBe('agent_id: must be an id of the form ag_draft_<uuid> or ag_live_<uuid>.')
})

test('an invalid id is refused with the command that shows the right one', async () => {
  await using sandbox = await createSandbox()
  const hintFor = async (...argv: string[]) =>
    (await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })).error.hint
  expect(await hintFor('send', phones.readsAll, '--text', 'Hello', '--agent', 'shop')).toContain('sandbox world show')
  const audience = ['--audience', '{"contacts": ["magic-00"]}', '--flow', '[{"node": "END", "id": "end"}]']
  expect(await hintFor('campaigns', 'define', '--name', 'A', '--trigger', 'API', ...audience)).toContain(
    'sandbox contacts get <external_id>',
  )
})

test('the messages of a contact are listed by its external_id too', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  for (const verb of ['list', 'search']) {
    const of = (contact: string) =>
      sandboxCommand(['messages', verb, '--contact-id', contact], { env: { SANDBOX_BASE_URL: sandbox.url } })
    expect((await of('magic-00')).json.messages).toMatchObject([{ to: phones.readsAll }])
    expect((await of('magic-01')).json.messages).toEqual([])
    expect(await of('nobody')).toMatchObject({ code: 5, error: { error: 'not_found' } })
  }
})

test('at a service, explain last says that only a sandbox can explain, and asks for no message', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const { code, error } = await sandboxCommand(['explain', 'last', '--base-url', service.url])
  expect({ code, message: error.message }).toEqual({ code: 3, message: expect.stringContaining('only a sandbox can') })
  expect(service.requests.map(({ path }) => path)).toEqual(['/_sandbox/health'])
})

test('at a service, trigger says that only a sandbox can do it before it looks for the last message', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const argv = ['trigger', 'message.delivered', '--message', 'last', '--live', '--base-url', service.url]
  const { code, error } = await sandboxCommand(argv)
  expect({ code, message: error.message }).toEqual({ code: 3, message: expect.stringContaining('only a sandbox') })
  expect(service.requests.map(({ path }) => path)).toEqual(['/_sandbox/health'])
})

test('every command in a hint uses the name under which the program was called', async () => {
  const { commands } = (await sandboxCommand(['commands', '--json'])).json as { commands: { command: string }[] }
  const lines = commands.map(({ command }) => `sandbox ${command}`)
  const unchanged = lines.filter((line) => !withProgramName(line, 'npx sandbox').startsWith('npx '))
  expect({ unchanged, isMeant: commands.length > 100 }).toEqual({ unchanged: [], isMeant: true })
})

test('a command that exists elsewhere is suggested, the shortest first', async () => {
  const hintFor = async (...argv: string[]) => (await sandboxCommand(argv)).error.hint
  expect(await hintFor('reset')).toMatch(/^Did you mean sandbox world reset or /)
  expect(await hintFor('webhooks', 'listen')).toMatch(/^Did you mean sandbox listen\?/)
  expect(await hintFor('events', 'wait')).toMatch(/^Did you mean sandbox expect or sandbox wait\?/)
  expect(await hintFor('inbox', 'list')).toMatch(/^Did you mean recipients\?/)
  expect(await hintFor('campaigns', 'start')).toMatch(/^Did you mean trigger\?/)
  expect(await hintFor('campaigns', 'stop')).toMatch(/^Did you mean pause\?/)
  expect(await hintFor('consent', 'record')).toMatch(/^Did you mean grant\?/)
  expect(await hintFor('billing', 'ledger')).toMatch(/^Did you mean sandbox billing transactions\?/)
  // Other nouns have the verb as well, which is no help here.
  expect(await hintFor('agents', 'list')).toMatch(/^sandbox world show lists the ids of agents\./)
  expect(await hintFor('carriers', 'get', 'nordfunk')).toMatch(/^Did you mean show\?/)
})

test('help on ids is for one who looks for a list, not for one who misspells a command', async () => {
  const hintFor = async (...argv: string[]) => (await sandboxCommand(argv)).error.hint
  expect(await hintFor('campaigns', 'list')).toContain('lists the ids of campaigns')
  expect(await hintFor('billing', 'top-up', '5')).toBe('Did you mean topup? See: sandbox billing --help')
})

test('an option with a word more or less than the one that was typed is suggested', async () => {
  const hintFor = async (...argv: string[]) => (await sandboxCommand(argv)).error.hint
  expect(await hintFor('handsets', 'set', '+491713920050', '--reason', 'X')).toMatch(/^Did you mean --failure-reason\?/)
  expect(await hintFor('rules', 'add', '--failure-reason=X')).toMatch(/^Did you mean --reason\?/)
  expect(await hintFor('trigger', 'message.failed', '--failure-reason', 'X')).toMatch(/^Did you mean --reason\?/)
  expect(await hintFor('consent', 'grant', 'ada', '--channel', 'RCS')).toMatch(/^Did you mean --channel-type\?/)
  expect(await hintFor('expect', 'message.read', '--to', '+491713920000')).toMatch(/^A field of the event: --where to=/)
  expect(await hintFor('expect', 'message.read', '--wher', 'to=1')).toMatch(/^Did you mean --where\?/)
  expect(await hintFor('messages', 'status', 'last')).toMatch(/^Did you mean get\?/)
  expect(await hintFor('send', '--to', '+491713920050')).toMatch(/^Did you mean sandbox send <to>\?/)
  expect(await hintFor('send', '+49', '171', '3920050', '--text', 'x')).toMatch(/^Did you mean \+491713920050\?/)
  expect(await hintFor('send', '+491713920050', 'there', '--text', 'Hi')).toMatch(/^See: /)
  expect(await hintFor('verify-handler', '3000/hook')).toMatch(/^Did you mean --url 3000\/hook\?/)
  expect(await hintFor('send', '+491713920000', '--namespace', 'red')).toMatch(/: --api-key sk_sandbox_<name>\. See: /)
})

test.each([
  [['send', phones.readsAll, 'Hello, Ada'], "--text 'Hello, Ada'"],
  [['webhooks', 'create', 'https://shop.example/hook'], '--url https://shop.example/hook'],
  [['listen', 'http://localhost:3000/hook'], '--forward-to http://localhost:3000/hook'],
  [['listen', '3000/hook'], '--forward-to 3000/hook'],
  [['start', '7271'], '--port 7271'],
  [['contacts', 'create', 'ada@example.com'], '--email ada@example.com'],
  [['contacts', 'create', phones.readsAll], `--phone ${phones.readsAll}`],
  [['wait', 'last'], '--message last'],
  [['listen', 'message.read'], '--events message.read'],
  [['messages', 'list', 'failed'], '--status failed'],
  [['events', 'list', 'message.failed'], '--event message.failed'],
])('%j: the hint names the option of an argument too many', async (argv, option) => {
  const { code, error } = await sandboxCommand(argv)
  expect(code).toBe(2)
  expect(error).toMatchObject({ hint: expect.stringContaining(`Did you mean ${option}? `) })
})

test('an argument too many that is like no option leads to help', async () => {
  const { error } = await sandboxCommand(['clock', 'advance', '5', 'm'])
  expect(error).toMatchObject({ hint: 'See: sandbox clock advance --help' })
})

test.each([
  [['webhooks', 'create', '--url', 'http://localhost:1/'], '--events', /^sandbox webhooks create .* --events "/],
  [['send'], '<to>; the content (--text, --content or --template)', /^sandbox send \+\d+ --text "/],
  [['explain'], '<message>', /^sandbox explain last$/],
])('%j: an example shows what is missing', async (argv, missing, example) => {
  const { error } = await sandboxCommand(argv)
  const hint = expect.stringMatching(/^See: sandbox .* --help\. For example:$/)
  expect(error).toMatchObject({ message: `Missing ${missing}.`, hint, commands: [expect.stringMatching(example)] })
})

test('a command without the options that it needs names them, and no body', async () => {
  await using sandbox = await createSandbox()
  const failureOf = async (...argv: string[]) => {
    const { code, error } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
    return { code, message: error.message }
  }
  const missing = (options: string) => ({
    code: 2,
    message: expect.stringContaining(`Missing options: pass one of ${options}`),
  })
  expect(await failureOf('clock', 'advance')).toEqual(missing('<by>, --to, --next.'))
  expect(await failureOf('contacts', 'update', 'magic-50')).toEqual(missing('--external-id, --email, --phone, '))
  expect(await failureOf('rules', 'add', '--to', phones.readsAll)).toEqual(missing('--outcome, --reason, '))
  expect(await failureOf('clock', 'advance', '1h', '--next')).toEqual({
    code: 4,
    message: 'Pass a duration (by), a time (to), or next.',
  })
  expect((await failureOf('contacts', 'create')).message).toBe('email: pass email, phone or both.')
})

test.each([
  [['handsets', 'reply', phones.ordinary, 'Hi'], `sandbox send ${phones.ordinary} --text Hello`],
  [['handsets', 'reply', phones.noContact, 'Hi'], `sandbox send ${phones.noContact} --text Hello`],
  [
    ['trigger', 'conversation.started', '--phone', phones.noContact, '--text', 'Hi'],
    `sandbox send ${phones.noContact}`,
  ],
  [['handsets', 'tap', phones.ordinary], `sandbox send ${phones.ordinary} --text Hello --suggest-reply Yes`],
  [['mailboxes', 'click', 'ada@example.com'], 'sandbox send ada@example.com --subject Hello'],
])('an action without a message names the send that it needs: %j', async (argv, command) => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { code, error } = await sandboxCommand(argv, { env })
  const commands = error.commands as string[]
  expect({ code, commands }).toEqual({ code: 4, commands: expect.arrayContaining([expect.stringContaining(command)]) })
  for (const line of commands)
    expect(await sandboxCommand(wordsOf(line.slice('sandbox '.length)), { env })).toMatchObject({ code: 0 })
  await sandbox.clock.advance('1h')
  expect((await sandboxCommand(argv, { env })).code).toBe(0)
})

test.each([
  ['handsets', 'reply'],
  ['trigger', 'conversation.started'],
])('a reply of a person with only a confirmation leads to the command that confirms: %s %s', async (noun, verb) => {
  await using sandbox = await createSandbox()
  const run = (...argv: string[]) => sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  await run('contacts', 'create', '--phone', phones.noContact, '--external-id', 'p1')
  const record = ['--channel-type', 'RCS', '--message-type', 'NEWSLETTER']
  await run('consent', 'request', 'p1', ...record, '--doi-channel', 'RCS', '--source', 'form')
  const argv = noun === 'trigger' ? ['--phone', phones.noContact, '--text', 'YES'] : [phones.noContact, 'YES']
  const { error } = await run(noun, verb, ...argv)
  expect(error.message).toMatch(
    /has received only a request to confirm consent, which its link answers and a reply does not\.$/,
  )
  const [confirm, ...more] = error.commands as string[]
  expect(more).toEqual([])
  expect((await run(...wordsOf(confirm!.slice('sandbox '.length)))).json).toMatchObject({ status: 'GRANTED' })
})

test('a send that waits for double opt-in leads to the command that confirms it', async () => {
  await using sandbox = await createSandbox()
  const run = (...argv: string[]) => sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  const send = ['send', phones.consentPending, '--text', 'Hello']
  const [confirm] = (await run(...send)).error.commands as string[]
  expect((await run(...wordsOf(confirm!.slice('sandbox '.length)))).json).toMatchObject({ status: 'GRANTED' })
  expect((await run(...send)).code).toBe(0)
})

test('a reply of a person who withdrew consent suggests no send', async () => {
  await using sandbox = await createSandbox()
  const argv = ['handsets', 'reply', phones.consentRevoked, 'Hi']
  const { error } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error).toMatchObject({ error: 'nothing_to_answer', hint: expect.stringContaining('Do not send') })
  expect(error).not.toHaveProperty('commands')
})

test('a send without money names the command that adds it, once', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.billing.setBalance({ free: 0 })
  const { stderr } = await sandboxCommand(['send', phones.readsAll, '--text', 'Hi'], {
    tty: true,
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(stderr).toContain('sandbox billing topup 100')
  expect(stderr).not.toContain('required_amount')
})

test('an inbox leads to the HTML of an email, and to taps and replies', async () => {
  await using sandbox = await createSandbox()
  const run = (...argv: string[]) => sandboxCommand(argv, { tty: true, env: { SANDBOX_BASE_URL: sandbox.url } })
  await run('send', 'ada@example.com', '--subject', 'Hi', '--html', '<p>Hello</p>')
  await run('send', phones.readsAll, '--text', 'Hello', '--suggest-reply', 'Yes')
  await run('clock', 'advance', '1h')
  expect((await run('inbox', 'show', 'ada@example.com')).stdout).toMatch(
    /HTML of an email {2}sandbox messages get msg_/,
  )
  expect((await run('inbox', 'show', phones.readsAll)).stdout).toContain(
    'sandbox events list --event conversation.started',
  )
})

test('at a service, verify-handler asks for the secret of the handler', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const argv = ['verify-handler', '--url', 'http://localhost:1/hook', '--base-url', service.url]
  const { code, error } = await sandboxCommand(argv)
  expect({ code, hint: error.hint }).toEqual({ code: 3, hint: expect.stringContaining('Pass --secret') })
})

test('a refusal says once what is missing, and with which command to send it', async () => {
  await using sandbox = await createSandbox()
  const argv = ['trigger', 'conversation.started', '--phone', phones.ordinary, '--text', 'Hi']
  const { stderr } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true })
  expect(stderr.match(/has received no RCS message/g)).toHaveLength(1)
  expect(stderr).toContain(`sandbox send ${phones.ordinary} --text Hello`)
})

test('a name that cannot be that of a file is refused once', async () => {
  await using sandbox = await createSandbox()
  const { code, error } = await sandboxCommand(['snapshots', 'save', 'Bad Name'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(code).toBe(4)
  expect(error.message).toMatch(/^name: must have 1 to 64 .* such as con\.$/)
  expect(error.details).toHaveLength(1)
})

test('an unknown snapshot is not explained by the key, because every key sees all snapshots', async () => {
  await using sandbox = await createSandbox()
  const { error } = await sandboxCommand(['snapshots', 'restore', 'nosuch'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error).toMatchObject({ error: 'not_found', hint: 'Check the name: sandbox snapshots list' })
})

test('a refusal that asks for a field names its option', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ phone: '+4915112345678', email: 'ada@example.com', external_id: 'ada' })
  for (const channel_type of ['RCS', 'EMAIL'] as const)
    await client.consent.record(id, {
      ...{ channel_type, message_type: 'NEWSLETTER', status: 'PENDING', source: 'form' },
      ...{ enforced_doi: true, doi_channel: 'EMAIL' },
    })
  const { error } = await sandboxCommand(['trigger', 'consent.confirmed', '--contact', 'ada'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(error).toMatchObject({
    error: 'trigger_precondition_failed',
    message: expect.stringContaining('Several records are PENDING. Pass --record: '),
  })
})

test('a test of an endpoint that does not accept it fails, and prints its answer', async () => {
  await using receiver = await startReceiver()
  receiver.answer({ status: 500 })
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const test = () => sandboxCommand(['webhooks', 'test', id], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(await test()).toMatchObject({ code: 7, json: { delivered: false, status_code: 500 }, stderr: '' })
  receiver.answer({ status: 200 })
  expect(await test()).toMatchObject({ code: 0, json: { delivered: true } })
})

test('a query that finds nothing in the one replayed event says so', async () => {
  await using receiver = await startReceiver()
  await using sandbox = await createSandbox()
  await sandbox.client.contacts.create({ phone: '+4915112345678' })
  const argv = ['events', 'replay', '1', '--to', receiver.url, '--secret', 'whsec_x', '--query', 'delivered']
  expect(await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })).toMatchObject({
    code: 0,
    stdout: 'null\n',
    error: { warning: 'query_matches_nothing' },
  })
})

test('a text that is too long is a fault of --text, not of --content', async () => {
  await using sandbox = await createSandbox()
  const { error } = await sandboxCommand(['send', '+491713920000', '--text', 'x'.repeat(10_000)], {
    env: { SANDBOX_BASE_URL: sandbox.url },
  })
  expect(error.details).toMatchObject([{ field: 'content.text', option: '--text' }])
})

test('an argument that is not UTF-8 is refused, because it lost its letters', async () => {
  const { code, error } = await sandboxCommand(['send', '+491713920000', '--text', 'Gr\ufffd\ufffde'])
  expect({ code, message: error.message }).toEqual({ code: 2, message: 'The argument "Gr��e" is not UTF-8 text.' })
})

test('a refusal on a terminal names commands, each remedy once, and no field of the answer', async () => {
  await using sandbox = await createSandbox()
  const refused = async (line: string) =>
    (await sandboxCommand([...line.split(' '), '--base-url', sandbox.url], { tty: true })).stderr.split(
      '\n  request',
    )[0]
  expect(await refused('namespaces delete default --yes')).toBe(
    `✗ The default namespace cannot be deleted, and has no secret keys. Reset it with "sandbox --base-url ${sandbox.url} namespaces reset default", or choose another namespace. [default_namespace]`,
  )
  expect(await refused(`campaigns pause ${campaigns.demo}`)).toBe(
    '✗ The campaign is DRAFT. Only a RUNNING campaign can be paused. [campaign_not_pausable]',
  )
})

test('a fault without a target is refused with the targets there are', async () => {
  await using sandbox = await createSandbox()
  const { error } = await sandboxCommand(['faults', 'add', '--status', '503', '--base-url', sandbox.url])
  expect(error).toMatchObject({
    details: [
      { option: '--route', message: expect.stringMatching(/^is required without events: /) },
      { option: '--status', message: 'needs routes' },
    ],
  })
})

test('a ttl that is not a duration is refused with the durations that the command accepts', async () => {
  const { code, error } = await sandboxCommand(['send', phones.readsAll, '--text', 'Hello', '--ttl', '5'])
  expect(code).toBe(2)
  expect(error).toMatchObject({ message: expect.stringContaining('such as 60s or 5m') })
})

test('a --query as jq writes it is shown without its dot, and a text without quotes with them', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const list = (query: string, ...more: string[]) =>
    sandboxCommand(['messages', 'list', '--query', query, ...more], { env: { SANDBOX_BASE_URL: sandbox.url } })
  const dotted = await list('.messages[0].id')
  expect(dotted.error).toMatchObject({
    error: 'usage',
    hint: expect.stringMatching(/^Did you mean messages\[0\]\.id\?/),
  })
  expect((await list('.messages[] | .id')).error.hint).not.toContain('Did you mean')
  for (const query of ['messages[?status==delivered].id', 'messages[?status=="delivered"].id'])
    expect((await list(query)).error.message).toContain(`Write a text in single quotes: 'delivered'.`)
  const { stderr } = await list('nothing', '--output', 'table')
  expect(stderr).toMatch(/Fields: messages, next_cursor, has_more; in messages\[\]: id, direction, /)
})

test('the clock advances to a time or to the next work without an option, and says that it has no way back', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const advance = (...argv: string[]) => sandboxCommand(['clock', 'advance', ...argv], { env })
  expect((await advance('2035-01-01T00:00Z')).json).toMatchObject({ now: '2035-01-01T00:00:00.000Z' })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect((await advance('next')).json).toMatchObject({ fired: [{ what: 'message.dispatch' }] })
  expect((await advance('2036-01-01')).error).toMatchObject({ details: [{ field: 'to', option: '--to' }] })
  expect((await advance('-1h')).error.hint).toContain('sandbox snapshots restore <name>')
})

test('a refusal that names the list of namespaces is not followed by the same advice', async () => {
  await using sandbox = await createSandbox()
  const { error } = await sandboxCommand(['namespaces', 'delete', 'nope'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error).toMatchObject({ error: 'not_found', message: expect.stringContaining('sandbox namespaces list') })
  expect(error).not.toHaveProperty('hint')
})
