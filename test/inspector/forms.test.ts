import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../../src/client/operations.ts'
import { fieldsIn } from '../../src/inspector/api/schema.ts'
import { parsed, textOf, typedText } from '../../src/inspector/ui/field-text.ts'
import { chosenFields } from '../../src/inspector/ui/form-fields.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')) as Parameters<
    typeof fieldsIn
  >[0]
const [service, control] = [read('openapi'), read('control-openapi')]

function fieldsOf(id: string) {
  const [noun, verb] = id.split('.') as [string, string]
  const { path, method } = (operations as unknown as Record<string, Record<string, { path: string; method: string }>>)[
    noun
  ]![verb]!
  return fieldsIn(path.startsWith('/v1/') ? service : control, { path, method })
}

const field = (id: string, name: string) => fieldsOf(id).find((one) => one.name === name)!

test.each([
  ['messages.send', 'template_data'],
  ['contacts.create', 'custom_fields'],
  ['contacts.update', 'custom_fields'],
] as const)('%s sends the values of %s with the types that were typed', (id, name) => {
  const values = { plz: '01234', note: 'Hello, world', visits: 3, vip: true }
  expect(parsed(field(id, name), JSON.stringify(values))).toEqual(values)
  expect(parsed(field(id, name), textOf(values, field(id, name)))).toEqual(values)
  expect(() => parsed(field(id, name), 'plz=01234')).toThrow(/^must be JSON\. /)
})

test('a mistake in JSON is named with its place, not with an example', () => {
  const flow = field('campaigns.define', 'flow')
  const broken = textOf(flow.example, flow).replace('"SEND",', '"SEND"')
  expect(() => parsed(flow, broken)).toThrow(/^must be JSON\. .*\(line 4 column 5\)$/)
})

test('the audience and the flow of a campaign have the example of its contract', () => {
  expect(field('campaigns.define', 'audience').example).toEqual({ tag: 'campaign-demo' })
  expect(field('campaigns.define', 'flow').example).toMatchObject([{ node: 'SEND' }, {}, {}, {}, { node: 'END' }])
})

test('failure reasons of a carrier are numbers by name', () => {
  const failed = field('carriers.update', 'failed')
  expect(parsed(failed, 'REJECTED_SPAM=20%, UNKNOWN_RCS_USER=0.05')).toEqual({
    REJECTED_SPAM: '20%',
    UNKNOWN_RCS_USER: 0.05,
  })
  expect(parsed(failed, 'REJECTED_SPAM=1=2')).toEqual({ REJECTED_SPAM: '1=2' })
})

test('a number that would change is sent as it was typed', () => {
  const throughput = field('carriers.update', 'throughput')
  expect(['5', '1e3', '0.5'].map((text) => parsed(throughput, text))).toEqual([5, 1_000, 0.5])
  for (const text of ['1e999', 'Infinity', '0x10', '9007199254740993', '5 '])
    expect(parsed(throughput, text)).toBe(text)
  const [id, name] = [field('contacts.update', 'id'), field('contacts.update', 'first_name')]
  expect([typedText(throughput, ' 5 '), typedText(id, 'c_1 '), typedText(name, 'Eve ')]).toEqual(['5', 'c_1', 'Eve '])
})

test('a list keeps items that contain a comma', () => {
  const tags = field('contacts.create', 'tags')
  for (const items of [['gold', 'Berlin, north'], ['say "hi"'], ['"quoted"'], ['a"b, c\\d'], ['one']])
    expect(parsed(tags, textOf(items, tags))).toEqual(items)
  expect(parsed(tags, ' gold,, "Berlin, north" , new ')).toEqual(['gold', 'Berlin, north', 'new'])
  expect(parsed(tags, '"open, end')).toEqual(['"open', 'end'])
  expect(() => parsed(tags, '"\\d"')).toThrow('has an item in quotes that is not a string in JSON')
})

test.each([
  ['faults.add', ['routes', 'status']],
  ['rules.add', ['match.to', 'behaviour.outcome', 'times']],
  ['contacts.update', ['phone', 'email']],
] as const)('a form of %s with a few fields has the others behind “More fields”', (id, only) => {
  const all = fieldsOf(id)
  const { shown, more } = chosenFields(all, { only, fixed: { id: 'x' } })
  expect(shown.map(({ name }) => name)).toEqual(only)
  const names = [...shown, ...more].map(({ name }) => name)
  const expected = all
    .filter(({ place }) => place === 'body')
    .map(({ name }) => name)
    // An object is shown by its parts, or as a whole.
    .filter((name) => !['match', 'behaviour'].includes(name) && !/^(?!match|behaviour).*\./.test(name))
  expect(new Set(names)).toEqual(new Set(expected))
})

test('a field that has its own control elsewhere is in no form', () => {
  const { shown, more } = chosenFields(fieldsOf('webhooks.update'), {
    only: ['url'],
    without: ['rotate_secret'],
    fixed: { id: 'x' },
  })
  expect([...shown, ...more].map(({ name }) => name)).not.toContain('rotate_secret')
})
