import { expect, test } from 'vitest'
import { Refusal, type Sender, sendDirectly } from '../../src/client/call.ts'
import { EventMissing } from '../../src/index.ts'
import { sandboxOf } from '../../src/library/sandbox-of.ts'
import { rcsText } from '../magic.ts'
import { readPage } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

const page = await readPage('docs/testing.md')
const after = (mark: string) => page.slice(page.indexOf(mark))
/** The rows of the table: a call of the kit, and the call over HTTP. */
const rows = [
  ...after('<!-- calls -->')
    .split('\n\n')[0]!
    .matchAll(/^\| `(.+?)` +\| `(\S+ \S+)` +\|$/gm),
].map(([, code, call]) => [code!, call!] as const)

/** A kit whose calls are recorded, with something to call about. */
async function kit(url: string) {
  const calls: string[] = []
  const send: Sender = (call) => {
    const { id, method, path } = call.operation
    // The observer makes sure that its namespace exists.
    if (id !== 'events.cursor') calls.push(`${method.toUpperCase()} ${path}`)
    return sendDirectly(call)
  }
  const sandbox = sandboxOf({ url, stop: async () => {} }, { fetch, send }, 'sk_sandbox_default')
  const lease = await sandbox.lease.phone({ consent: true })
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: lease.address })
  const [handset, mailbox] = [sandbox.handset(lease.address), sandbox.mailbox('ada@example.com')]
  return { calls, scope: { sandbox, lease, handset, mailbox, message_id } }
}

test('every function of the kit is the one HTTP call that docs/testing.md lists', async () => {
  await using emulator = await createSandbox()
  const { calls, scope } = await kit(emulator.url)
  for (const [code, call] of rows) {
    calls.length = 0
    const run = new Function(...Object.keys(scope), `return ${code}`) as (...values: unknown[]) => Promise<unknown>
    await run(...Object.values(scope)).catch((error: unknown) => {
      // It reached the sandbox, which had nothing to return.
      if (!(error instanceof Refusal || error instanceof EventMissing)) throw error
    })
    expect({ code, calls }).toEqual({ code, calls: [call] })
  }
})

/** Functions of the kit, and those that the second table explains. */
const NO_CALLS = ['client', 'observer', 'carriers', 'rules', 'faults', 'webhooks', 'events', 'lease'].map(
  (it) => `sandbox.${it}`,
)
const ELSEWHERE = ['sandbox.fetch', 'sandbox.receiver', 'sandbox.as', 'sandbox.saveEvidence', 'sandbox.stop']
const HANDS_OUT = ['sandbox.handset', 'sandbox.mailbox', 'sandbox.namespace', 'lease.handset']
/** Each is a list and a call for every item. */
const REPEATED = ['lease.rules.clear', 'lease.faults.clear']

const functionsOf = (value: object, path: string): string[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const place = `${path}.${name}`
    if ([...NO_CALLS, ...ELSEWHERE, ...HANDS_OUT, ...REPEATED].includes(place) && place !== 'sandbox.lease') return []
    if (typeof inner === 'function') return [place]
    return typeof inner === 'object' && inner !== null ? functionsOf(inner, place) : []
  })

test('no function of the kit is missing in docs/testing.md', async () => {
  await using emulator = await createSandbox()
  const { message_id: _, ...objects } = (await kit(emulator.url)).scope
  const documented = new Set(rows.map(([code]) => code.slice(0, code.indexOf('('))))
  const all = Object.entries(objects).flatMap(([name, object]) => functionsOf(object, name))
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter((name) => !documented.has(name))).toEqual([])
  for (const name of ELSEWHERE.slice(1)) expect(after('| in Node only')).toContain(`${name.replace('sandbox.', '')}(`)
})
