import { expect, test } from 'vitest'
import type { LoggedEvent } from '../../src/controls/events/contract.ts'
import { openFlowSandbox } from '../../src/handlers/explore/flow-sandbox.ts'
import { builtInFlows } from '../../src/handlers/explore/flows/index.ts'
import { campaign } from '../../src/service/campaigns/states.ts'
import { consent } from '../../src/service/consent/states.ts'
import { catalogue, type EventName, eventNames } from '../../src/service/events/catalogue.ts'
import { isRecord } from '../../src/words/json.ts'

/** The part of JSON Schema that describes the data of events. */
interface Schema {
  properties?: Record<string, Schema>
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  anyOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
}

/** The fields of an event that need not be there, or have several values: each of them with its name. */
function* variantsOf(path: string, schema: Schema, all: Schema): Generator<string> {
  const named = schema.$ref ? all.$defs![schema.$ref.split('/').at(-1)!]! : schema
  const { properties, anyOf, type } = named
  for (const [name, field] of Object.entries(properties ?? {})) yield* variantsOf(`${path} ${name}`, field, all)
  for (const one of anyOf ?? []) yield* variantsOf(path, one, all)
  if (properties || anyOf) return
  const values = [type].flat().flatMap((one) => {
    if (one === 'null') return [null]
    return one === 'boolean' ? [true, false] : (named.enum ?? [named.const])
  })
  for (const value of values) yield value === undefined ? path : `${path} ${value}`
}

function* variantsIn(path: string, value: unknown): Generator<string> {
  if (isRecord(value)) for (const [name, field] of Object.entries(value)) yield* variantsIn(`${path} ${name}`, field)
  else yield* value === null ? [`${path} null`] : [path, `${path} ${value}`]
}

/** What a state table emits with an event. */
const emitted = (table: typeof campaign | typeof consent, effect: string) =>
  table.steps.filter(({ effects }) => (effects as readonly string[]).includes(effect))

const statusesOf = (name: string) => {
  const [family, verb] = name.split('.')
  if (family === 'campaign') return emitted(campaign, `emit ${verb}`).map(({ to }) => `${name} status ${to}`)
  if (family !== 'consent') return undefined
  return emitted(consent, `emit ${verb}`).flatMap(({ from, to }) => [
    `${name} status ${to}`,
    `${name} previous_status ${from === 'NONE' ? null : from}`,
  ])
}

/** Variants that the service never sends, and why. */
const NEVER: readonly (readonly [why: string, what: RegExp])[] = [
  ['it is sent to the endpoint that is tested only', /^webhook\.test/],
  [
    'SMS cannot be sent (interface §1), and an email is delivered, or it bounces',
    /^message\.(delivered|failed) channel_id/,
  ],
  ['a contact gets another status by a change only', /^contact\.(created|imported) status (?!ACTIVE)/],
  ['no confirmation comes before the request', /^consent\.created doi_status DOI_ACCEPTED/],
]

const recorded: LoggedEvent[] = []
const flowSandbox = await openFlowSandbox('v', { isTaken: () => false })
for (const flow of builtInFlows)
  for (let n = 0; n < (flow.variants ?? 1); n++)
    for (const { body } of await flowSandbox.record(flow, `v.${flow.name}.${n}`)) recorded.push(JSON.parse(body))
await flowSandbox.stop()

test('each event, each of its fields and each value of an enumeration is in a flow', () => {
  const seen = new Set(recorded.flatMap(({ event, data }) => [event, ...variantsIn(event, data)]))
  const variants = eventNames.flatMap((name) => {
    const schema = catalogue[name].data.toJSONSchema() as Schema
    const statuses = statusesOf(name)
    const isPossible = (one: string) => !(statuses && / (previous_)?status /.test(one)) || statuses.includes(one)
    return [name, ...new Set(variantsOf(name, schema, schema))].filter(isPossible)
  })
  const missing = variants.filter((one) => !seen.has(one))
  expect(missing.filter((one) => !NEVER.some(([, what]) => what.test(one)))).toEqual([])
  // No exception is left that a flow has now.
  expect(NEVER.filter(([, what]) => !missing.some((one) => what.test(one)))).toEqual([])
})

test('a message and an email are without the field of the other one', () => {
  const fieldsOf = (name: EventName) =>
    recorded.filter(({ event }) => event === name).map(({ data }) => Object.keys(data))
  for (const name of ['message.queued', 'message.expired', 'message.revoked'] as const)
    for (const field of ['agent_id', 'channel_id'])
      expect(
        fieldsOf(name).some((fields) => !fields.includes(field)),
        `${name} without ${field}`,
      ).toBe(true)
})

test('each step of a consent record is in a flow', () => {
  const steps = recorded.flatMap(({ event, data }) =>
    event === 'consent.created' || event === 'consent.updated'
      ? `${data.previous_status ?? 'NONE'} → ${data.status}`
      : [],
  )
  const all = ['emit created', 'emit updated'].flatMap((effect) => emitted(consent, effect))
  expect(all.map(({ from, to }) => `${from} → ${to}`).filter((step) => !steps.includes(step))).toEqual([])
})
