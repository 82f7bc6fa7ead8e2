import { expect, test } from 'vitest'
import { textFaults } from '../../src/scenarios/bodies.ts'
import { parseScenario } from '../../src/scenarios/parse.ts'

const steps = (...lines: string[]) => `steps:\n${lines.map((line) => `  - ${line}`).join('\n')}\n`
const get = 'call: messages.get\n    with: { id: msg_1 }'

/** The message of the refusal, line by line. */
function faultsOf(text: string, variables: readonly string[] = [], checkSteps?: typeof textFaults): string[] {
  try {
    parseScenario(text, 'a.yaml', variables, checkSteps)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test.each([
  ['no steps', 'name: x', /^a\.yaml:1:1: steps: is required$/],
  ['an unknown field', `nam: x\n${steps(get)}`, /^a\.yaml:1:1: nam: unknown field, did you mean "name"\?$/],
  [
    'a step that does nothing',
    steps('cal: messages.get'),
    /^a\.yaml:2:5: steps\[0\]: has no action: .*did you mean "call"\?$/,
  ],
  [
    'the word of a command for an action',
    steps('send: { to: "+491713920000" }'),
    /^a\.yaml:2:5: steps\[0\]: has no action: for "send" write "call: messages\.send"$/,
  ],
  [
    'an operation without "call"',
    steps('name: x\n    clock.advance: { by: 1h }'),
    /has no action: for "clock\.advance" write "call: clock\.advance"$/,
  ],
  ['an unknown action', steps('jump: 5s'), /has no action: "jump" is unknown; use one of call, wait, advance,/],
  ['a route for an operation', steps('call: POST /v1/messages'), /, did you mean "messages\.send"\?$/],
  [
    'an operation without its noun',
    steps('call: send'),
    /unknown operation "send", did you mean "messages\.send" or "testAgent\.send"\?$/,
  ],
  ['steps that are no list', 'steps:\n  advance: 1h\n', /steps: must be a list: write "- " before each step/],
  [
    'a name for what is saved',
    steps(`${get}\n    save: status`),
    /^a\.yaml:4:11: steps\[0\]\.save: must be a mapping such as \{ id: message_id \}$/,
  ],
  [
    'a condition outside of a list',
    steps('wait: message.read\n    where: status=read'),
    /steps\[0\]\.where: must be a mapping such as \{ message_id: \$id \} or a list such as \["status=read"\]$/,
  ],
  ['a step that does two things', steps('{ call: messages.list, advance: 1m }'), /two actions, call and advance/],
  [
    'a world that the package does not have',
    `world: low-balence\n${steps(get)}`,
    /^a\.yaml:1:8: world: unknown world "low-balence", did you mean "low-balance"\? For a file, write its path: \.\/low-balence\.yaml$/,
  ],
  ['an operation that is misspelt', steps('call: messages.snd'), /^a\.yaml:2:11: .*did you mean "messages\.send"\?$/],
  ['an operation of the command line', steps('call: consent.grant'), /; there are consent\.list, consent\.record, /],
  ['an event that is misspelt', steps('wait: message.deliverd'), /did you mean "message\.delivered"\?$/],
  ['an event of another service', steps('wait: message.received'), /did you mean "conversation\.started"\?$/],
  ['a family of events', steps('wait: message.*'), /; there are message\.queued, [^*]*$/],
  [
    'an error code that is misspelt',
    steps(`${get}\n    refused: notfound`),
    /^a\.yaml:4:14: .*did you mean "not_found"\?$/,
  ],
  ['a parameter that is missing', steps('call: messages.get'), /messages\.get needs id$/],
  [
    'a field that the call does not take',
    steps('call: messages.get\n    with: { id: a, ID: b }'),
    /has no parameter ID/,
  ],
  [
    'a variable that nobody sets',
    steps('call: messages.get\n    with: { id: $mesage_id }'),
    /^a\.yaml:3:17: .*unknown variable mesage_id/,
  ],
  ['a variable that is set later', steps('check: $a\n    expect: 1', 'set: { a: 1 }'), /unknown variable a/],
  [
    'a matcher that is misspelt',
    steps(`${get}\n    expect: { status: { $onof: [a] } }`),
    /unknown matcher \$onof, did you mean "\$one_of"\?$/,
  ],
  [
    'an invalid condition',
    steps('wait: message.read\n    where: [status>3]'),
    /^a\.yaml:\d+:\d+: .*must be field=value/,
  ],
  [
    'a filter of a field that the event does not have',
    steps('wait: message.read\n    where: { mesage_id: x }'),
    /^a\.yaml:3:14: .*message\.read has no field mesage_id, did you mean "message_id"\?$/,
  ],
  [
    'a condition on a field that the event does not have',
    steps('wait: message.read\n    where: ["id=evt_x", "data.failure_reasons=REJECTED_SPAM", "data.to=x"]'),
    /^a\.yaml:3:25: steps\[0\]\.where\[1\]: message\.read has no field failure_reasons; fields: message_id/,
  ],
  [
    'a filter with a value that the event never has',
    steps('wait: message.failed\n    where: { to: $target, failure_reason: REJECTED_SPM }'),
    /where\.failure_reason: failure_reason of message\.failed is never REJECTED_SPM, did you mean "REJECTED_SPAM"\?$/,
  ],
  [
    'a condition with a value that the event never has',
    steps('wait: message.read\n    where: ["data.status!=sent"]'),
    /steps\[0\]\.where\[0\]: status of message\.read is never sent; values: read$/,
  ],
  [
    'an expected field that the event does not have',
    steps('wait: message.failed\n    expect: { failure_reasn: { $one_of: [REJECTED_SPAM] } }'),
    /message\.failed has no field failure_reasn, did you mean "failure_reason"\?$/,
  ],
  [
    'a saved field that the event does not have',
    steps('wait: conversation.started\n    save: { all: ., text: user_mesage.text }'),
    /save\.text: conversation\.started has no field user_mesage, did you mean "user_message"\?$/,
  ],
  [
    'a wait that is not a duration',
    steps('wait: message.read\n    within: soon'),
    /^a\.yaml:3:13: .*must be a duration/,
  ],
  [
    'a write that is repeated until something is so',
    steps('call: billing.topup\n    with: { amount: 10 }\n    until: { amount: 1 }'),
    /would take effect each time/,
  ],
  [
    'a wait that is a number',
    steps('wait: message.read\n    within: 5'),
    /^a\.yaml:3:13: steps\[0\]\.within: must be a duration such as [^:]*$/,
  ],
  [
    'an advance that is a number',
    steps('advance: 5'),
    /^a\.yaml:2:14: steps\[0\]\.advance: must be a duration [^:]*:00Z, or next$/,
  ],
  [
    'a repetition that is a word',
    steps('repeat: three\n    steps: [{ advance: 5s }]'),
    /^a\.yaml:2:13: steps\[0\]\.repeat: must be a whole number from 1 to 10,000, or a variable/,
  ],
  [
    'a repetition for each letter of a word',
    steps('each: people\n    as: who\n    steps: [{ advance: 5s }]'),
    /^a\.yaml:2:11: steps\[0\]\.each: must be a list, or a variable with a list/,
  ],
  [
    'an inner step that is wrong',
    steps('repeat: 2\n    steps:\n      - advance: tomorrow'),
    /^a\.yaml:4:18: steps\[0\]\.steps\[0\]\.advance: must be a duration/,
  ],
  ['an empty file', '', /^a\.yaml:1:1: is empty; it must be a YAML mapping, such as "steps: \[/],
  ['a list', '- steps: []', /^a\.yaml:1:1: it must be a YAML mapping/],
  [
    'a reference without a name',
    steps(`check: "a\${}"\n    expect: 1`),
    /: \$\{\} names no variable: write \$\{name\}$/,
  ],
  [
    'a variable with a dash',
    `vars: { my-phone: 1 }\n${steps(get)}`,
    /vars: the name "my-phone" must contain only letters, /,
  ],
  [
    'a target among the variables',
    `vars: { target: x }\n${steps(get)}`,
    /vars\.target: the variable target is reserved/,
  ],
  ['a target that a step sets', steps('set: { target: live }'), /the variable target is reserved/],
  [
    'a target that a loop sets',
    steps('repeat: 2\n    as: target\n    steps: [{ set: { a: 1 } }]'),
    /target is reserved/,
  ],
  ['a target that is saved', steps(`${get}\n    save: { target: status }`), /target is reserved/],
  ['braces within braces', steps(`${get}\n    expect: { id: \${x} }`), /write \$name, or "\$\{name\}" in quotes$/],
  ['a required variable', `vars: { phone: null }\n${steps(get)}`, /vars\.phone: is required: --var phone=/],
])('%s is reported with its line and a suggestion', (_, text, message) => {
  const faults = faultsOf(text)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(message)
})

test.each([
  ['$one_of: 3', 'must be a list with at least one value'],
  ['$matches: "("', 'is an invalid pattern: '],
  ['$matches: 5', 'must be a pattern in quotes'],
  ['$length: -1', 'must be a whole number or a matcher'],
  ['$exists: "yes"', 'must be true or false'],
  ['$not: { $exists: "yes" }', 'must be true or false'],
  ['$gt: "x"', 'must be a number or a time'],
  ['$gt: 1, cost: 2', 'a matcher cannot have fields beside it'],
])('the matcher { %s } is refused with its place', (matcher, fault) => {
  const [first] = faultsOf(steps(`${get}\n    expect: { status: { ${matcher} } }`))
  expect(first).toMatch(/^a\.yaml:4:\d+: steps\[0\]\.expect\.status\.\$/)
  expect(first).toContain(fault)
})

test('a phone number or code without quotes is refused in any field, and a number is not', () => {
  const text = [
    'vars: { phone: +491713920000 }',
    'steps:',
    '  - call: messages.send',
    '    with: { to: +491713920050, content: { text: 0815 } }',
    '  - call: handsets.reply',
    '    with: { phone: +491713920050 }',
    '  - wait: message.read',
    '    where: { to: +491713920050 }',
    '  - call: billing.balance',
    '    expect: { free: { $gt: 0.10 }, reserved: 0 }',
  ].join('\n')
  expect(faultsOf(text)).toEqual([
    'a.yaml:1:16: vars.phone: must be a string: write "+491713920000" in quotes',
    'a.yaml:4:17: steps[0].with.to: must be a string: write "+491713920050" in quotes',
    'a.yaml:4:49: steps[0].with.content.text: must be a string: write "0815" in quotes',
    'a.yaml:6:20: steps[1].with.phone: must be a string: write "+491713920050" in quotes',
    'a.yaml:8:18: steps[2].where.to: must be a string: write "+491713920050" in quotes',
  ])
})

test('a placeholder of another language and text in UTF-16 are recognised', () => {
  const text = '{ call: contacts.create, with: { email: a@example.com, first_name: {{name}} } }'
  expect(faultsOf(steps(text), [], textFaults)).toEqual([
    'a.yaml:2:72: steps[0].with.first_name: must be a string: write "{{name}}" in quotes',
  ])
  expect(faultsOf(Buffer.from(steps(get), 'utf16le').toString())).toEqual(['a.yaml:1:1: is not UTF-8 text'])
})

test('all errors are reported at once, in the order of the file', () => {
  const text = steps('call: messages.snd', 'wait: message.deliverd', 'advance: soon')
  expect(faultsOf(text).map((line) => line.split(':')[1])).toEqual(['2', '3', '4'])
})

test('a variable of the command line must exist in the file', () => {
  const text = `vars: { phone: null }\n${steps('check: $phone\n    expect: x')}`
  expect(faultsOf(text, ['phone'])).toEqual([])
  expect(faultsOf(text, ['phone', 'phon'])[0]).toMatch(/--var sets the unknown variable phon, did you mean "phone"\?$/)
})
