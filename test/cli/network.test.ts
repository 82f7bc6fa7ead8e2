import { expect, test } from 'vitest'
import { agents, channels, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

/** Splits a typed line into words; quoted words are one. */
const typed = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)

const at =
  (sandbox: Sandbox) =>
  (line: string, tty = false) =>
    sandboxCommand([...typed(line), '--base-url', sandbox.url], { tty })

test('carriers set changes what its flags name', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  const { code, json } = await run('carriers set nordfunk --fail 20% --reason REJECTED_SPAM --delay 2s..5s')
  expect(code).toBe(0)
  expect(json).toMatchObject({ failed: { REJECTED_SPAM: 0.2 }, delivered: 0.8, delivery_delay: '2s..5s' })
  expect(json.changed).toEqual(['delivery_delay', 'failed'])

  const flags =
    '--fail REJECTED_SPAM=10% --fail 0.05 --reason UNKNOWN_RCS_USER --never 1% --delivered 84% --read 0.25 ' +
    '--dispatch-delay 1s --failure-delay 3s --read-delay ~1s..1m --throughput 600/m --weight 3 --outage'
  expect((await run(`carriers set nordfunk ${flags}`)).json).toMatchObject({
    failed: { REJECTED_SPAM: 0.1, UNKNOWN_RCS_USER: 0.05 },
    never_delivered: 0.01,
    delivered: 0.84,
    read: 0.25,
    dispatch_delay: '1s',
    failure_delay: '3s',
    read_delay: '~1s..1m',
    throughput: 10,
    weight: 3,
    outage: true,
  })
  expect((await run('carriers set nordfunk --fail 0% --no-outage --throughput off')).json).toMatchObject({
    failed: {},
    outage: false,
    throughput: null,
  })
  expect((await run('carriers reset nordfunk')).json.changed).toEqual([])
})

test('carriers set --all changes all carriers, and carriers reset --all resets them', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  const presets = (await run('carriers set --all --preset flaky')).json.carriers as { never_delivered: number }[]
  expect(presets.map(({ never_delivered }) => never_delivered)).toEqual([0.05, 0.05, 0.05])
  const back = (await run('carriers reset --all')).json.carriers as { changed: string[] }[]
  expect(back.flatMap(({ changed }) => changed)).toEqual([])
  expect((await run('carriers list')).json).toEqual({ carriers: back })
})

test.each([
  ['carriers set nordfunk', /Nothing to change/],
  ['carriers set', /Missing carrier/],
  ['carriers reset', /Missing carrier/],
  ['carriers set nordfunk --all --read 1', /not both/],
  ['carriers set nordfunk --fail 20%', /Missing reason of --fail/],
  ['carriers set nordfunk --reason REJECTED_SPAM', /--reason needs --fail/],
  ['carriers set nordfunk --fail REJECTED_SPAM=1% --reason REJECTED_SPAM', /--reason has no effect/],
  ['carriers set nordfunk --fail 1% --fail 2% --reason REJECTED_SPAM', /same reason/],
  ['carriers set nordfunk --fail REJECTED_SPAM=1% --fail 2% --reason REJECTED_SPAM', /twice/],
  ['carriers set nordfunk --fail SPAM=1%', /not one of UNKNOWN_RCS_USER/],
  ['carriers set nordfunk --fail 120% --reason REJECTED_SPAM', /share such as 20%/],
  ['carriers set nordfunk --read many', /share such as 20%/],
  ['carriers set nordfunk --throughput 10/h', /rate such as 10\/s/],
  ['carriers set nordfunk --throughput 0', /rate such as 10\/s/],
  ['carriers set nordfunk --preset bad', /perfect/],
  ['handset set +491713920050 --on --off', /cannot be used/],
  ['handset set +491713920050 --unset replie', /unknown field/],
])('sandbox %s is a usage error, reported in one line', async (line, message) => {
  await using sandbox = await createSandbox()
  const { code, error } = await at(sandbox)(line)
  expect(code).toBe(2)
  expect(`${error.message} ${error.hint ?? ''}`).toMatch(message)
})

test('a phone is changed, shown and reset, and people read its behaviour', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  expect((await run(`handset set ${phones.ordinary} --off`)).json).toMatchObject({ on: false })
  const set = await run(`handset set ${phones.ordinary} --on --reply STOP --reply-delay 5s --no-read-receipts --no-rcs`)
  expect(set.json).toMatchObject({ on: true, replies: 'STOP', read_receipts: false, rcs_capable: false })
  expect((await run(`handset show ${phones.ordinary}`, true)).stdout).toMatch(/replies +STOP {2}\(handset\)/)
  expect((await run(`handset set ${phones.ordinary} --unset reply --unset rcs`)).json).toMatchObject({
    replies: null,
    rcs_capable: true,
  })
  expect((await run(`handset set ${phones.readsAll} --off`, true)).stdout).toContain(
    'set, but without effect on this magic recipient: on',
  )
  expect((await run('handset list', true)).stdout).toContain(`${phones.ordinary}  on: yes, read receipts: no`)
  expect((await run(`handset reset ${phones.ordinary}`)).json).toMatchObject({ from: {} })
})

test('an inbox lists the index of each suggestion, and a tap uses it', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  const chip = (text: string) => ({ reply: { text, postback_data: 'eWVz' } })
  await sandbox.client.messages.send({
    ...rcsText,
    to: phones.neverReads,
    content: { text: 'Well?', suggestions: [chip('Yes'), chip('No')] },
  })
  await sandbox.clock.advance('1m')
  expect((await run(`handset inbox ${phones.neverReads}`, true)).stdout).toMatch(/Well\?\n +\[0\] Yes {2}\[1\] No/)
  expect((await run(`handset tap ${phones.neverReads} 1`)).code).toBe(0)
  expect((await run(`handset reply ${phones.neverReads} "On my way"`)).code).toBe(0)
  const texts = (await sandbox.client.messages.list({ direction: 'INBOUND' })).messages.map(
    ({ content }) => content.text,
  )
  expect(texts).toEqual(['On my way', 'No'])
})

test('an email is opened, clicked and unsubscribed by, from the command line', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  await sandbox.client.messages.send({
    channel_id: channels.email,
    to: 'ada@example.com',
    subject: 'Hi',
    content: { html: '<a href="https://example.com/a">A</a><a href="https://example.com/b">B</a>' },
  })
  await sandbox.clock.advance('500ms')
  expect((await run('mailbox bounce ada@example.com --type medium')).code).toBe(2)
  await sandbox.clock.advance('10s')
  expect((await run('mailbox inbox ada@example.com', true)).stdout).toContain('[1] https://example.com/b')
  expect((await run('mailbox open ada@example.com')).json.event).toBe('email.opened')
  expect((await run('mailbox click ada@example.com 1', true)).stdout).toContain('email.clicked https://example.com/b')
  expect((await run('mailbox unsubscribe ada@example.com')).json.contact_status).toBe('UNSUBSCRIBED')
  const refused = await run('mailbox bounce ada@example.com')
  expect([refused.code, refused.error.error ?? refused.error.code]).toEqual([4, 'nothing_to_answer'])
  expect((await run('mailbox set ada@example.com --clicks --click-delay 1m')).json).toMatchObject({ clicks: true })
  expect((await run('mailbox set ada@example.com --unset clicks --bounces hard')).json).toMatchObject({
    clicks: null,
    bounces: 'hard',
  })
})

test('the launch of an agent on a carrier is decided in one line', async () => {
  await using sandbox = await createSandbox()
  const { json } = await at(sandbox)(`agents set-launch ${agents.multi} nordfunk REJECTED --reason "No opt-out."`)
  expect((json.carriers as unknown[])[0]).toMatchObject({ status: 'REJECTED', rejection_reason: 'No opt-out.' })
})
