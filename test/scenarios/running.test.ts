import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { sharedSandbox } from '../shared-sandbox.ts'
import { failureOf, runText } from './scenario.ts'

const shared = sharedSandbox()

const SEND = `call: messages.send
    with: { agent_id: ag_live_00000000-0000-4000-8000-000000000001, to: "+491713920000", message_type: MESSAGE, traffic_type: TRANSACTION, content: { text: Hi } }`

test('variables come from the file, from answers and from the command line, and keep their types', async () => {
  await using sandbox = await createSandbox()
  const text = `
vars: { amount: 10, who: nobody, all: $amount }
steps:
  - call: billing.topup
    with: { amount: $amount }
    save: { paid: amount, free: balance.free, answer: . }
  - check: { paid: $paid, free: $free, text: "\${who} paid \${paid}", money: "$$5 and $$\{who}", nested: $answer.balance }
    expect: { paid: 10, free: 1010, text: Ada paid 10, money: "$$5 and $$\{who}", nested: { total: 1010 } }
`
  const outcome = await runText(text, sandbox, { vars: { who: 'Ada' } })
  expect(failureOf(outcome)).toBeUndefined()
  expect(outcome.vars).toMatchObject({ target: 'emulator', all: 10, who: 'Ada' })
})

test.each([
  ['$gt: 3', '4', '3'],
  ['$gte: 3', '3', '2'],
  ['$lt: 3', '2', '3'],
  ['$lte: 3', '3', '4'],
  ['$exists: true', '0', 'null'],
  ['$exists: false', 'null', 'a'],
  ['$matches: "^msg_"', 'msg_1', 'amsg_1'],
  ['$one_of: [a, { b: 1 }]', '{ b: 1, c: 2 }', '{ b: 2 }'],
  ['$not: { a: 1 }', '{ a: 2 }', '{ a: 1, b: 2 }'],
  ['$length: 2', '[a, b]', '[a]'],
  ['$length: { $gt: 2 }', 'abc', 'ab'],
  ['$contains: { a: 1 }', '[{ b: 1 }, { a: 1, b: 2 }]', '[{ b: 1 }]'],
  ['$contains: deliver', 'undelivered', 'read'],
  ['$gt: 0.01', '"0.0500"', '"0.0050"'],
  ['$lte: "0.05"', '0.05', '"0.0501"'],
  ['$gt: "2026-01-01T00:00:00Z"', '"2026-01-01T01:00:00+00:30"', '"2026-01-01T01:00:00.000+02:00"'],
  ['$not: { $gt: 0.01 }', '"0.0100"', '"0.0500"'],
  ['$not: { $length: 1 }', '[a, b]', '5'],
  ['$not: { $matches: a }', 'b', 'null'],
  ['$not: { $contains: 1 }', '[2]', '1'],
  ['$not: { $one_of: [a, { $gt: 1 }] }', '1', 'b'],
  ['$one_of: [a, { $gt: 1 }]', 'a', 'b'],
  ['$contains: { $gt: 1 }', '[a, 2]', '[a, 1]'],
  ['a: { $not: 1 }', '{ a: 2 }', '{ b: 2 }'],
  ['$not: { a: 1 }', '{ a: 2 }', '{ b: 2 }'],
  ['a: { $not: { $exists: true } }', '{ b: 2 }', '{ a: 2 }'],
])('the matcher { %s } holds for %s and not for %s', async (matcher, good, bad) => {
  const sandbox = shared()
  const check = (value: string) => runText(`steps:\n  - check: ${value}\n    expect: { ${matcher} }\n`, sandbox)
  expect((await check(good)).passed).toBe(true)
  expect((await check(bad)).passed).toBe(false)
})

test('steps are repeated, and run for each entry of a list', async () => {
  await using sandbox = await createSandbox()
  const text = `
vars: { people: [Ada, Bob] }
steps:
  - each: $people
    as: who
    steps:
      - repeat: 2
        as: turn
        steps:
          - call: contacts.create
            with: { email: "\${who}\${turn}@example.com", first_name: $who }
`
  const outcome = await runText(text, sandbox)
  expect(outcome.steps.map(({ name }) => name)).toEqual([
    'contacts.create (1 of 2) (1 of 2)',
    'contacts.create (1 of 2) (2 of 2)',
    'contacts.create (2 of 2) (1 of 2)',
    'contacts.create (2 of 2) (2 of 2)',
  ])
  expect(
    (await sandbox.client.events.list({ event: 'contact.created' })).events.map(
      ({ data }) => (data as { email: string }).email,
    ),
  ).toEqual(['Ada1@example.com', 'Ada2@example.com', 'Bob1@example.com', 'Bob2@example.com'])
})

test('an empty list of entries is reported', async () => {
  await using sandbox = await createSandbox()
  const text = 'vars: { people: [] }\nsteps:\n  - { each: $people, as: who, steps: [{ check: $who, expect: 1 }] }\n'
  expect(await runText(text, sandbox)).toMatchObject({
    passed: true,
    steps: [{ name: 'each', status: 'skipped', message: 'the list is empty' }],
  })
})

test('a read that can no longer become as expected ends at once, with the reason', async () => {
  await using sandbox = await createSandbox()
  const send = SEND.replace('+491713920000', '+491713920013')
  const text = `steps:\n  - ${send}\n    save: { id: message_id }\n  - call: messages.get\n    with: { id: $id }\n    until: { status: delivered }\n    within: 24h\n`
  const before = Date.parse(await sandbox.clock.now())
  expect(await runText(text, sandbox)).toMatchObject({
    timed_out: false,
    steps: [
      { status: 'passed' },
      {
        message: 'cannot be as expected any more: status is "failed", but should be "delivered"',
        explanation: expect.stringMatching(/^failed/),
      },
    ],
  })
  expect(Date.parse(await sandbox.clock.now()) - before).toBeLessThan(60_000)
})

test('conditions in the form of --where select an event', async () => {
  await using sandbox = await createSandbox()
  const wait = (where: string) =>
    runText(
      `steps:
  - ${SEND.replace('3920000', '3920013')}
    save: { id: message_id }
  - wait: message.failed
    where: [${where}]
    within: 1m
`,
      sandbox,
    )
  expect(failureOf(await wait(`"message_id=\${id}", data.failure_reason=REJECTED_SPAM, failed_at`))).toBeUndefined()
  // A message fails once, so nothing is waited for.
  const other = await wait(`"message_id=\${id}", failure_reason!=REJECTED_SPAM`)
  expect(other).toMatchObject({ passed: false, timed_out: false })
  expect(failureOf(other)).toMatch(
    /message\.failed did not arrive, and cannot arrive any more after .* The nearest was message\.failed of .*, with failure_reason "REJECTED_SPAM" instead of /,
  )
})

test('a step with "on" runs on its target only', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const text = `
steps:
  - on: emulator
    steps:
      - advance: 1h
  - on: live
    call: billing.balance
    expect: { free: 1000 }
  - check: $target
    expect: { $one_of: [emulator, live] }
`
  const statuses = async (isEmulator: boolean) =>
    (await runText(text, sandbox, { isEmulator })).steps.map(({ status }) => status)
  expect(await statuses(true)).toEqual(['passed', 'skipped', 'passed'])
  expect(await statuses(false)).toEqual(['skipped', 'passed', 'passed'])
})

test('a failed expectation is reported with its line, and ends the run', async () => {
  await using sandbox = await createSandbox()
  const text = `steps:
  - ${SEND}
    expect:
      status: queued
      billing:
        hold_amount: 1
  - call: billing.topup
    with: { amount: 10 }
`
  const outcome = await runText(text, sandbox)
  expect(failureOf(outcome)).toBe('test.yaml:7: billing.hold_amount is 0.05, but should be 1')
  expect(outcome.steps.map(({ status }) => status)).toEqual(['failed', 'skipped'])
  expect(outcome.steps[0]).toMatchObject({
    request_id: expect.stringMatching(/^req_/),
    differences: [{ path: 'billing.hold_amount', expected: 1, actual: 0.05 }],
  })
  expect(await sandbox.client.billing.balance()).toMatchObject({ total: 1000 })
})

test.each([
  ['check: { cost: 2 }', '{ cost: { gt: 1 } }', 'cost is 2, but should be {"gt":1}: the matcher is written $gt'],
  ['check: { cost: null }', '{ cost: { $gt: 1 } }', 'cost is null, but should be {"$gt":1}: $gt needs a number'],
  [
    'check: soon',
    '{ $lt: "2026-01-01T00:00Z" }',
    '"soon", but should be {"$lt":"2026-01-01T00:00Z"}: $lt needs a time',
  ],
  ['check: 5', '{ $not: { $length: 1 } }', '{"$not":{"$length":1}}: $length needs a list or a text'],
  ['check: 5', '{ $not: { $gt: $word } }', '$gt must be a number or a time such as 2027-01-01T00:00Z'],
  ['check: 5', '{ $one_of: $word }', '$one_of must be a list with at least one value'],
  [
    'check: { agents: [{ id: 1 }, { id: 2 }] }',
    '{ agents: { $length: { $gt: 7 } } }',
    'agents has 2 entries, but should have {"$gt":7}',
  ],
  ['check: abc', '{ $length: 2 }', 'has 3 characters, but should have 2'],
  [
    'check: { all: [{ name: a, up: true }, { name: b, up: false }, { name: c, up: true }] }',
    '{ all: { $contains: { name: d, up: true } } }',
    'all has no entry with {"name":"d","up":true}; the nearest of its 3 has name "a", or name "c"',
  ],
  ['check: [a, b]', '{ $contains: c }', 'has no entry with "c"; the nearest of its 2 has "a", or "b"'],
  ['check: []', '{ $contains: c }', 'has no entry with "c"'],
  ['check: { status: READ }', '{ statuss: READ }', 'there is no field statuss, did you mean "status"?'],
])('%s with expect: %s says why it cannot hold', async (step, expected, why) => {
  const sandbox = shared()
  const failure = failureOf(await runText(`vars: { word: x }\nsteps:\n  - ${step}\n    expect: ${expected}\n`, sandbox))
  expect(failure).toContain(why)
})

test('an unexpected refusal points at the named field', async () => {
  const sandbox = shared()
  const text = `steps:
  - call: contacts.create
    with:
      email: ada@example.com
      frist_name: Ada
`
  expect(failureOf(await runText(text, sandbox))).toMatch(
    /^test\.yaml:5: .*400 validation_error: frist_name: unknown field/,
  )
})

test('an unexpected refusal names every invalid field', async () => {
  const sandbox = shared()
  const text = 'steps:\n  - call: contacts.create\n    with: { emial: ada@example.com, frist_name: Ada }\n'
  const failure = failureOf(await runText(text, sandbox))
  expect(failure).toMatch(/emial: unknown field, did you mean "email"\?; .*frist_name: unknown field/)
  expect(failure).not.toContain('see details')
})

test('an expected refusal must happen with the expected code', async () => {
  const sandbox = shared()
  const refused = (code: string) =>
    runText(`steps:\n  - call: contacts.get\n    with: { id: nobody }\n    refused: ${code}\n`, sandbox)
  expect((await refused('not_found')).passed).toBe(true)
  expect(failureOf(await refused('missing_consent'))).toMatch(
    /should be refused with missing_consent, but answered 404 not_found/,
  )
  const text = 'steps:\n  - call: billing.balance\n    refused: unauthorized\n'
  expect(failureOf(await runText(text, sandbox))).toMatch(/should be refused with unauthorized, but answered 200/)
})

test('the reads of a wait do not fill the request log', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const text = 'steps:\n  - { wait: message.read, within: 500ms }\n'
  expect(await runText(text, sandbox)).toMatchObject({ timed_out: true })
  const { requests } = await sandbox.client.logs.list()
  // The position from which it reads.
  expect(requests.map(({ path }) => path)).toEqual(['/_sandbox/events?limit=1'])
})

test('a wait without success advances a frozen clock by its limit at most', async () => {
  await using sandbox = await createSandbox()
  const text = `steps:
  - ${SEND.replace('3920000', '3920020')}
  - wait: message.delivered
    within: 1h
`
  const outcome = await runText(text, sandbox)
  expect(outcome).toMatchObject({ passed: false, timed_out: true })
  expect(failureOf(outcome)).toMatch(
    /^test\.yaml:4: message\.delivered did not arrive within 1h\. The nearest was message\.queued of msg_/,
  )
  expect(outcome.steps.at(-1)).toMatchObject({
    message_id: expect.stringMatching(/^msg_/),
    explanation: expect.stringMatching(/^planned \(magic recipient\): outcome never_delivered/),
  })
  expect(Date.parse(await sandbox.clock.now())).toBeLessThan(Date.parse('2026-01-01T01:00:00.001Z'))
})

test('a wait without success shows the status of the campaign or agent that it names', async () => {
  await using sandbox = await createSandbox()
  const waitFor = (event: string, where: string) =>
    runText(`steps:\n  - wait: ${event}\n    where: { ${where} }\n    within: 1m\n`, sandbox)
  const campaign = await waitFor('campaign.completed', 'campaign_id: 00000000-0000-4000-8000-000000000101')
  expect(campaign.steps[0]).toMatchObject({ status: 'failed', explanation: 'The campaign is DRAFT.' })
  const agent = await waitFor('agent.approved', 'agent_id: ag_live_00000000-0000-4000-8000-000000000001')
  expect(agent.steps[0]).toMatchObject({ status: 'failed', explanation: 'The agent is APPROVED.' })
  const nobody = await waitFor('agent.approved', 'agent_id: ag_live_unknown')
  expect(nobody.steps[0]).not.toHaveProperty('explanation')
})

test('an event that an earlier step has waited for is near, and its end is the end of the wait', async () => {
  await using sandbox = await createSandbox()
  const text = `steps:
  - ${SEND.replace('3920000', '3920001')}
    save: { id: message_id }
  - wait: message.delivered
  - wait: message.EVENT
    where: { message_id: $id }
    within: 1h
`
  expect(failureOf(await runText(text.replace('EVENT', 'read'), sandbox))).toMatch(
    /message\.read did not arrive within 1h\. The nearest was message\.delivered of msg_/,
  )
  expect(failureOf(await runText(text.replace('EVENT', 'failed'), sandbox))).toMatch(
    /message\.failed did not arrive, and cannot arrive any more after message\.delivered of msg_/,
  )
})

test('each event is waited for once', async () => {
  await using sandbox = await createSandbox()
  const text = `steps:
  - repeat: 2
    steps:
      - ${SEND.replaceAll('\n', '\n    ')}
  - wait: message.read
    save: { first: message_id }
  - wait: message.read
    save: { second: message_id }
  - check: $first
    expect: { $not: $second }
`
  expect(failureOf(await runText(text, sandbox))).toBeUndefined()
})

const RESTARTS = {
  'a reset': '{ call: world.reset }',
  'a reset of the event log': '{ call: world.reset, with: { scope: events } }',
  'a restored snapshot': '{ call: snapshots.restore, with: { name: before } }',
}

test.each(Object.entries(RESTARTS))(
  'after %s, a wait finds the events of the new log, and those only',
  async (_, restart) => {
    await using sandbox = await createSandbox()
    const send = `${SEND}
    save: { id: message_id }
  - wait: message.read
    save: { read: message_id }
  - check: $read
    expect: $id
`
    await runText(`steps:\n  - ${send}  - call: snapshots.save\n    with: { name: before }\n`, sandbox)
    for (const _ of [1, 2]) {
      const first = await runText(`steps:\n  - ${restart}\n  - ${send}`, sandbox)
      expect(failureOf(first)).toBeUndefined()
      const between = await runText(`steps:\n  - ${send}  - ${restart}\n  - ${send}`, sandbox)
      expect(failureOf(between)).toBeUndefined()
    }
  },
)
