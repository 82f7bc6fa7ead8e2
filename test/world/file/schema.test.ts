import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { worldSchema } from '../../../scripts/openapi/editor-schemas.ts'
import { nouns } from '../../../src/registry/nouns.ts'
import { readWorld } from '../../../src/server/world-source.ts'
import { WORLD_NAMES } from '../../../src/words/worlds.ts'
import { sectionsOf } from '../../../src/world/combined-nouns.ts'
import { createSandbox } from '../../sandbox.ts'

const file = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const schema = worldSchema()
// strictRequired would refuse `not: { required }`, which the schema uses for fields that exclude each other.
const isValid = new Ajv({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false }).compile(
  schema,
)

const content = (text: string): unknown => parse(text, { merge: true, maxAliasCount: -1 })

test.each(WORLD_NAMES)('the world %s and its dump are valid against the schema for editors', async (name) => {
  expect(isValid(content(file(`fixtures/worlds/${name}.yaml`))), JSON.stringify(isValid.errors)).toBe(true)
  await using sandbox = await createSandbox({ world: name })
  expect(isValid(content(await sandbox.client.world.dump())), JSON.stringify(isValid.errors)).toBe(true)
})

const CONTACT = 'contacts: [{ email: a@example.com'
const AGENT = 'agents: [{ agent_id: ag_live_00000000-0000-4000-8000-000000000001, use_case: OTP'

test.each([
  ['a section that does not exist', 'contact: []'],
  ['another clock', 'clock: { mode: fast }'],
  ['a negative balance', 'billing: { balance: -1 }'],
  ['a number where text belongs', 'contacts: [{ phone: +491713920000 }]'],
  ['an unknown field of a contact', `${CONTACT}, mail: b@example.com }]`],
  [
    'an unknown status of consent',
    `${CONTACT}, consent: [{ channel_type: RCS, message_type: MESSAGE, status: GRANT }] }]`,
  ],
  [
    'an unknown field of consent',
    `${CONTACT}, consent: [{ channel_type: RCS, message_type: MESSAGE, status: GRANTED, at: x }] }]`,
  ],
  ['an id of another kind', `${CONTACT}, id: cr_00000000-0000-4000-8000-000000000001 }]`],
  ['an agent without use_case', 'agents: [{ agent_id: ag_live_00000000-0000-4000-8000-000000000001 }]'],
  ['an unknown field of an agent', `${AGENT}, launched: [nordfunk] }]`],
  ['an unknown field of a price', 'billing: { prices: { rcs: { basic: 1 } } }'],
  ['an unknown carrier field', 'carriers: [{ name: a, delay: 1s }]'],
  [
    'an unknown kind of node',
    'campaigns: [{ name: a, trigger: API, audience: { all: true }, flow: [{ node: STOP, id: a }] }]',
  ],
  [
    'an unknown field of a node',
    'campaigns: [{ name: a, trigger: API, audience: { all: true }, flow: [{ node: END, id: a, for: 1h }] }]',
  ],
  ['an unknown band of limits', 'limits: { sends: 1 }'],
  ['an unknown field of a handset', 'handsets: [{ phone: "+491713920000", reply: Hi }]'],
  ['an unknown field of a rule', 'rules: [{ match: {}, behavior: {} }]'],
  ['an unknown field of webhooks', 'webhooks: { endpoint: [] }'],
])('%s is refused by the schema as by the sandbox', async (_, text) => {
  expect(isValid(content(text))).toBe(false)
  await expect(readWorld(Buffer.from(text), 'world.yaml')).rejects.toThrow(/^world\.yaml:1:/)
})

/** All objects with fields in a schema. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  const object = value as Record<string, unknown>
  if (typeof object.properties === 'object' && object.type === 'object') yield object
  for (const inner of Object.values(object)) yield* objectsIn(inner)
}

test('no object of the schema accepts unknown fields, and every section has a description', () => {
  const objects = [...objectsIn(schema)]
  expect(objects.length).toBeGreaterThan(30)
  for (const object of objects) expect(object.additionalProperties, JSON.stringify(object).slice(0, 200)).toBe(false)
})

test('docs/world-files.md has a row for every section, with the description of the schema', () => {
  const rows = [...file('docs/world-files.md').matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map((match) => [
    match[1],
    match[2],
  ])
  for (const { key, schema: section } of sectionsOf(nouns))
    expect(rows).toContainEqual([key, section.description!.replaceAll('|', '\\|')])
})
