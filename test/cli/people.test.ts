import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { tableOf } from '../../src/cli/commands/verify-handler/tell.ts'
import { noPaint } from '../../src/cli/output/paint.ts'
import { wrapped } from '../../src/cli/output/wrap.ts'
import { REPEATED } from '../../src/cli/target/call-operation.ts'
import { folder } from '../folder.ts'
import { agents, phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

test('clock mode accepts the same word as start and the library', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { json } = await sandboxCommand(['clock', 'mode', 'scaled:60'], { env })
  expect(json).toMatchObject({ mode: 'scaled', factor: 60 })
  const refused = await sandboxCommand(['clock', 'mode', 'scaled:fast'], { env })
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain('factor')
})

test('a send with a key that cannot be used says so, instead of asking for an agent', async () => {
  await using sandbox = await createSandbox({ maxNamespaces: 1 })
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const send = ['send', phones.readsAll, '--text', 'Hello', '--api-key']
  for (const tty of [false, true]) {
    const refused = await sandboxCommand([...send, 'sk_sandbox_another'], { env, tty })
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('too_many_namespaces')
  }
  const unknown = await sandboxCommand([...send, 'sk_live_1', '--live'], { env })
  expect(unknown.code).toBe(3)
  expect(unknown.stderr).toContain('unauthorized')
})

test('events deliveries shows people each attempt with its fault', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.queued'] })
  const fault = await sandbox.client.faults.add({ events: ['message.queued'], drop: true, times: 1 })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('5m')
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { stdout } = await sandboxCommand(['events', 'deliveries'], { env, tty: true })
  expect(stdout).toMatch(/message\.queued {2}evt_/)
  expect(stdout).toMatch(new RegExp(`^ {2}1 .* no answer .* fault ${fault.id}$`, 'm'))
  expect(stdout).toMatch(/^ {2}2 .* 200( |$)/m)
  expect(stdout).toMatch(new RegExp(`^to ${receiver.url} .* dlv_`, 'm'))
  expect(stdout).toContain('sandbox events replay <event>')
  const again = (await sandboxCommand(['events', 'replay', '1'], { env, tty: true })).stdout
  expect(again).toContain(`${receiver.url} → 200`)
  const [, id] = /sandbox events delivery (dlv_\S+)/.exec(again)!
  expect((await sandboxCommand(['events', 'delivery', id!], { env })).json).toMatchObject({ delivery: { id } })
})

test('a replay that waits for an earlier event of its record says so', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer(503)
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true }
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.*'] })
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const held = { subject: message_id, event: 'message.queued', waiting: 2, next_attempt_at: '2026-01-01T00:05:00.000Z' }
  const env = at.env
  const advanced = await sandboxCommand(['clock', 'advance', '2m'], { env })
  expect(advanced.json.held_up).toEqual([expect.objectContaining(held)])
  expect((await sandboxCommand(['clock', 'advance', '0s'], at)).stdout).toContain(
    `2 deliveries of ${message_id} wait for message.queued, next attempt 2026-01-01T00:05:00.000Z`,
  )
  const replayed = (await sandboxCommand(['events', 'replay', '1'], at)).stdout
  expect(replayed).toContain(
    `An earlier event of ${message_id} comes first:  sandbox events deliveries --subject ${message_id}`,
  )
  const { stdout } = await sandboxCommand(['events', 'deliveries', '--subject', message_id], at)
  expect(stdout).toMatch(
    /^to \S+ {2}waiting for message\.queued evt_\S+, next attempt 2026-01-01T00:05:00\.000Z {2}dlv_/m,
  )
  const waiting = await sandboxCommand(['events', 'deliveries', '--status', 'waiting', '--limit', '1'], at)
  expect(waiting.stdout).toContain('sandbox clock advance --to 2026-01-01T00:05:00.000Z')
  expect(stdout).toMatch(/^to \S+ {2}pending, next attempt 20/m)
})

test('clock advance and events replay show people what the receiver answered', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true }
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.delivered'] })
  await sandbox.client.faults.add({ events: ['message.delivered'], drop: true, times: 1 })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const first = (await sandboxCommand(['clock', 'advance', '30s'], at)).stdout
  expect(first).toMatch(/webhook\.attempt {2}dlv_\S+ {2}→ no answer, next attempt 20\S+Z$/m)
  expect((await sandboxCommand(['clock', 'advance', '1h'], at)).stdout).toMatch(
    /webhook\.attempt {2}dlv_\S+ {2}→ 200$/m,
  )
  expect((await sandboxCommand(['events', 'replay', '2'], at)).stdout).toContain(`${receiver.url} → 200`)
})

test('namespaces reset reports to people what was reset', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { stdout } = await sandboxCommand(['namespaces', 'reset', 'default'], { env, tty: true })
  expect(stdout).toContain('namespace default: everything is reset')
})

test('a tap shows people what was tapped, and the inbox what an action opens', async () => {
  await using sandbox = await createSandbox()
  const run = async (...argv: string[]) =>
    (await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true })).stdout
  const chips = ['--suggest-reply', 'Yes=eWVz', '--suggest-url', 'Look=https://example.com']
  await run('send', phones.ordinary, '--text', 'Well?', ...chips)
  await run('clock', 'advance', '1m')
  expect((await run('inbox', 'show', phones.ordinary)).match(/https:\/\/example\.com/g)).toHaveLength(1)
  expect(await run('inbox', 'show', phones.ordinary)).toContain('[1] Look ↗ https://example.com')
  const tapped = await run('handsets', 'tap', phones.ordinary, '0')
  expect(tapped).toContain(`phone ${phones.ordinary} tapped "Yes"`)
  expect(tapped).toContain('postback_data')
})

test('a trigger shows people what the user sent, why a message failed, and that STOP revokes nothing', async () => {
  await using sandbox = await createSandbox()
  const run = async (...argv: string[]) =>
    (await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true })).stdout
  await run('send', phones.ordinary, '--text', 'Well?', '--suggest-reply', 'Yes=eWVz')
  await run('clock', 'advance', '1m')
  const tapped = await run('trigger', 'conversation.started', '--message', 'last', '--index', '0')
  expect(tapped).toContain('tapped "Yes"')
  expect(tapped).toContain('postback_data eWVz')
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const stop = [
    ['trigger', 'conversation.started', '--phone', phones.ordinary, '--text', 'STOP'],
    ['handsets', 'reply', phones.ordinary, 'stop'],
  ]
  for (const argv of stop) {
    const { stdout, stderr } = await sandboxCommand(argv, { env, tty: true })
    expect(stderr).toContain('STOP changes no consent record')
    const [id] = /msg_[^,]+/.exec(stdout)!
    const [, revoke] = /sandbox (consent revoke .*)/.exec(stderr)!
    const explained = await run('explain', id)
    expect(explained).toContain(`STOP changes no consent record; your application does. By hand:  `)
    const [, contact] = /consent revoke (\S+)/.exec(revoke!)!
    expect(explained).toContain(`sandbox consent revoke ${contact} --channel-type RCS`)
    // The contract of the answer does not change, so programs read the remark on stderr.
    const piped = await sandboxCommand(argv, { env })
    expect(JSON.parse(piped.stderr)).toMatchObject({
      type: 'hint',
      commands: expect.arrayContaining([`sandbox ${revoke}`]),
    })
  }
  expect((await sandboxCommand(['handsets', 'reply', phones.ordinary, 'Hi'], { env })).stderr).toBe('')
  await run('send', phones.off, '--text', 'Hello')
  await run('clock', 'advance', '1m')
  const failed = await run('trigger', 'message.failed', '--message', 'last', '--reason', 'REJECTED_SPAM')
  const why = 'REJECTED_SPAM: The carrier rejected the message as spam'
  expect(failed).toContain(why)
  expect(await run('explain', 'last')).toContain(why)
})

test('a repeated idempotency key is reported to people', async () => {
  await using sandbox = await createSandbox()
  const run = async (...argv: string[]) =>
    (await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true })).stdout
  const key = ['--idempotency-key', '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b']
  const topup = ['billing', 'topup', '50', '--idempotency-key', '1f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b']
  for (const argv of [['send', phones.ordinary, '--text', 'Hi', ...key], topup]) {
    expect(await run(...argv)).not.toContain(REPEATED)
    expect(await run(...argv)).toContain(REPEATED)
  }
})

test('scheduled work is shown with its whole subject', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('1m')
  await sandbox.client.handsets.reply(phones.readsAll, { text: 'Hi' })
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true, columns: 80 }
  const shown = (await sandboxCommand(['clock', 'due'], at)).stdout
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(`${agents.multi} ${phones.readsAll}`)
})

test('the documented default key is shown whole, and no other', async () => {
  await using sandbox = await createSandbox()
  const shown = async (key: string) =>
    (await sandboxCommand(['status'], { env: { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: key } })).json.api_key
  expect(await shown('sk_sandbox_default')).toBe('sk_sandbox_default')
  expect(await shown('sk_sandbox_default-2')).toBe('sk_sandbox_…')
})

test('verify-handler names the checks that it skipped, but not all of them', () => {
  const result = { group: '', claim: '', sent: '', why: '', remedy: '', docs: '', received: '' }
  const results = [
    { ...result, check: 'signed', outcome: 'passed' },
    { ...result, check: 'rotation', outcome: 'skipped' },
  ] as unknown as Parameters<typeof tableOf>[0]
  const table = tableOf(results, { passed: 1, failed: 0, skipped: 1 }, { details: false, paint: noPaint })
  expect(table).toContain('1 skipped: rotation')
  const stopped = tableOf(results, { passed: 0, failed: 1, skipped: 1 }, { details: false, paint: noPaint })
  expect(stopped).toContain('0 passed, 1 failed, 1 skipped (--details')
})

test('a narrow terminal breaks lines between words, below their text, and never in a command', async () => {
  await using sandbox = await createSandbox()
  const at = (columns?: number) => ({ env: { SANDBOX_BASE_URL: sandbox.url }, tty: true, columns })
  const send = ['send', phones.readsAll, '--text', 'Hi']
  const narrow = (await sandboxCommand(send, at(60))).stdout.trimEnd().split('\n')
  expect(narrow).toContain('  free balance 999.95 EUR')
  const wide = narrow.filter((line) => line.length > 60)
  expect(wide).toEqual([expect.stringMatching(/^ {2}Next {2}sandbox messages watch msg_/)])
  const refused = (await sandboxCommand(['explain'], at(30))).stderr
  expect(refused).toContain('\n  See: sandbox explain --help.\n')
  const { stdout: unbroken } = await sandboxCommand(send, at())
  expect(unbroken).toMatch(/hold 0\.05 EUR · .* · free balance/)
})

test('moving a world names the next command at each step', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true, cwd: await folder() }
  const { stderr } = await sandboxCommand(['snapshots', 'export', 'a', 'a.snap'], at)
  expect(stderr).toContain('To save one: sandbox snapshots save a')
  await sandboxCommand(['snapshots', 'save', 'a'], at)
  await sandboxCommand(['snapshots', 'export', 'a', 'a.snap'], at)
  const { stdout } = await sandboxCommand(['snapshots', 'import', 'a.snap', 'b'], at)
  expect(stdout).toContain('Next  sandbox snapshots restore b')
})

test('a failed message shows its reason in the list, and the reasons of its plan once', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true }
  const run = async (...argv: string[]) => (await sandboxCommand(argv, at)).stdout
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect(await run('messages', 'list')).not.toContain('failure_reason')
  await sandbox.client.messages.send({ ...rcsText, to: '+491713920013' })
  expect(await run('explain', 'last')).not.toContain('planned')
  await sandbox.clock.advance('1m')
  expect(await run('messages', 'list', '--status', 'failed')).toMatch(/failed +REJECTED_SPAM +RCS/)
  const explained = await run('explain', 'last')
  expect(explained).not.toContain('planned')
  expect(explained.match(/outcome failed/g)).toHaveLength(1)
})

test('a narrow terminal breaks neither a command in a hint nor the body of a request', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true, columns: 40 }
  const { stderr } = await sandboxCommand(['explain', 'last'], at)
  expect(stderr.split('\n')).toContain(`  Send one: sandbox send ${phones.readsAll} --text "Hello"`)
  const text = 'Your order arrives tomorrow between ten and noon.'
  const { stdout } = await sandboxCommand(['send', phones.readsAll, '--text', text, '--dry-run'], at)
  expect(stdout).toContain(`"text": "${text}"`)
  await sandboxCommand(['send', phones.readsAll, '--text', text], at)
  expect((await sandboxCommand(['logs', '--full'], at)).stdout).toContain(`"text": "${text}"`)
})

test('a question breaks between words too', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, tty: true, columns: 60, leaves: true }
  const { questions } = await sandboxCommand(['agents', 'create'], at)
  expect(questions).toEqual([expect.stringMatching(/^Billing category\? .{20,41}\n {2}\S.{10,57}$/)])
})

test.each([
  ['a cell moves whole', '  20 off     21 delivered late', 28, ['  20 off', '      21 delivered late']],
  ['a word with no room beside its label', 'name  of a_long_word_of_19_', 22, ['name  of', '    a_long_word_of_19_']],
  ['the bar of a bubble goes on', '│ one two three', 10, ['│ one two', '│ three']],
  ['a wide character takes two columns', '✓ 您好 您好 您好', 12, ['✓ 您好 您好', '  您好']],
  ['a no-break space stays', 'at 10\u00a0am or 11', 9, ['at 10\u00a0am', 'or 11']],
])('a line that is too wide: %s', (_, line, columns, expected) => {
  expect(wrapped(line, columns, stringWidth).split('\n')).toEqual(expected)
})
