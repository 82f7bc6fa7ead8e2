import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { clientTypes } from '../../scripts/build/client-types.ts'
import { lazily } from '../../src/words/lazy.ts'
import { folder } from '../folder.ts'
import { Editor } from './editor.ts'

const types = lazily(clientTypes)

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))

/** The client of the package, as a user has it installed. */
async function installed(): Promise<{ place: string; sources: string }> {
  const place = await folder()
  const sources = relative(place, SOURCES)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  for (const [path, text] of Object.entries(types().files)) write(path, text)
  write('client/call.d.ts', `export type { CallOptions, ClientOptions } from '../${sources}/client/call.ts'\n`)
  write('package.json', '{ "type": "module" }')
  write(
    'tsconfig.json',
    JSON.stringify({
      extends: join(SOURCES, '../tsconfig.json'),
      compilerOptions: { incremental: false, noEmit: true, allowImportingTsExtensions: true, types: [] },
      include: [],
      files: ['user.ts', 'same.ts', 'other.ts'],
    }),
  )
  return { place, sources }
}

/** Each word behind a ^ is hovered over. */
const code = (sources: string) => `
import type { SandboxOptions } from './${sources}/library/sandbox.ts'
import { type Client, createClient } from './client/client.js'
import type { SandboxEvent } from './service/events/catalogue.js'
export const options: SandboxOptions = { ^clock: 'frozen', ^world: 'default', ^limits: { ^send: 3 } }
const client: Client = createClient({ ^baseUrl: 'http://localhost:7270', ^apiKey: 'sk_sandbox_default' })
const sent = await client.^messages.^send(
  { ^agent_id: 'ag', ^to: '+49', ^ttl: '60s', ^content: { ^text: 'Hi', ^suggestions: [{ ^reply: { ^text: 'Yes', ^postback_data: '' } }] } },
  { ^idempotencyKey: 'key' },
)
export const free = sent.^billing.^balance.^free
const [message] = (await client.messages.^list({ ^status: 'read', ^limit: 3 })).^messages
export const at = message!.^events[0]!.^at
await client.webhooks.^create({ ^url: 'http://localhost:3000', ^events: ['message.*'] })
await client.handsets.^set('+49', { ^on: false, ^failure_reason: null })
await client.carriers.^updateAll({ ^failed: { REJECTED_SPAM: 0.2 } })
await client.campaigns.^define({ ^name: 'Spring', ^trigger: 'API', ^flow: [{ ^node: 'END', ^id: 'end' }] })
export const summary = ({ ^event, ^data, ^timestamp }: SandboxEvent<'message.failed'>) => [event, timestamp, data.^failure_reason]
`

const same = (sources: string) => `
import type { Client as Computed } from './${sources}/client/client.ts'
import type { EventData as ComputedData, EventName as ComputedName } from './${sources}/service/events/catalogue.ts'
import type { Client } from './client/client.js'
import type { EventData, EventName } from './service/events/catalogue.js'
type All = { [Name in EventName]: EventData<Name> }
type ComputedAll = { [Name in ComputedName]: ComputedData<Name> }
export const both = (one: Client, other: Computed): [Computed, Client] => [one, other]
export const events = (one: All, other: ComputedAll): [ComputedAll, All] => [one, other]
`

test('every field of a request, an answer and an event has a description', () => {
  expect(types().undocumented).toEqual([])
})

test('an editor shows what a field is, in the types that follow from the schemas', async () => {
  const { place, sources } = await installed()
  const user = join(place, 'user.ts')
  const marked = code(sources)
  const lines = marked.split('\n')
  await using editor = await Editor.open(place)
  editor.show(user, marked.replaceAll('^', ''))
  editor.show(join(place, 'same.ts'), same(sources))
  editor.show(join(place, 'other.ts'), `${same(sources)}\nexport const other: ComputedAll = {}`)
  expect(await editor.errors(join(place, 'same.ts'))).toEqual([])
  expect(await editor.errors(join(place, 'other.ts'))).toHaveLength(1)
  expect(await editor.errors(user)).toEqual([])
  const shown: Record<string, string> = {}
  for (const [line, text] of lines.entries())
    for (const [index, match] of [...text.matchAll(/\^(\w+)/g)].entries())
      shown[`${line}:${match[1]}`] = await editor.hover(user, line, match.index - index)
  const silent = Object.keys(shown).filter((place) => shown[place] === '')
  expect(silent).toEqual([])
  expect(Object.keys(shown).length).toBeGreaterThan(40)
  expect(shown).toMatchObject({ '6:send': 'Send a message over RCS or email: `POST /v1/messages` (interface §4.2).' })
})
