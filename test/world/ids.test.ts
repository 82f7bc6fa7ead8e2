import { expect, test } from 'vitest'
import type { Client } from '../../src/index.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { contactOf, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import { startChild } from './child.ts'

const optIn = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', source: 'form', status: 'PENDING' } as const

/** Creates a record of every kind and returns the ids and secrets. */
async function madeIn(client: Client): Promise<string[]> {
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  const contact = await client.contacts.create({ email: `ada@example.com` })
  const webhook = await client.webhooks.create({ url: 'https://example.com/hook', events: ['agent.*'] })
  const record = await client.consent.record(contact.id, { ...optIn, enforced_doi: true, doi_channel: 'EMAIL' })
  const { messages } = await client.inbox.show('ada@example.com')
  const { events, log_id } = await client.events.list({ limit: 1000 })
  await client.testAgent.register({ phone: phones.ordinary })
  return [
    message_id,
    contact.id,
    record.id,
    webhook.id,
    webhook.secret!,
    messages[0]!.link!.split('.').at(-1)!,
    log_id,
    ...events.map(({ id }) => id),
  ]
}

/** Recreates worlds in every way and makes the same calls in each. */
async function recreated(options: SandboxOptions): Promise<string[][]> {
  await using sandbox = await createSandbox(options)
  const { client } = sandbox
  const made = [await madeIn(client), await madeIn(sandbox.as('two'))]
  await sandbox.reset()
  await sandbox.snapshot('empty')
  made.push(await madeIn(client))
  for (const round of ['first', 'second']) {
    await sandbox.restore('empty')
    made.push(await madeIn(client))
    made.push(await madeIn(await sandbox.fork(`fork-${round}`, 'empty')))
    await client.namespaces.delete('two')
    made.push(await madeIn(sandbox.as('two')))
  }
  return made
}

const different = (made: readonly string[][]) => new Set(made.flat()).size === made.flat().length

test('a recreated world repeats no earlier ids and secrets, in this process or the next', async () => {
  const made = [...(await recreated({})), ...(await recreated({})), ...(await recreated({ clock: 'auto' }))]
  expect(made).toHaveLength(27)
  expect(made.every((of) => of.length >= 10)).toBe(true)
  expect(different(made)).toBe(true)
})

test('with a seed, or a frozen clock with a start time, every run makes the same ids and secrets', async () => {
  for (const options of [{ seed: '1' }, { now: '2027-01-01T00:00Z' }] satisfies SandboxOptions[]) {
    const made = await recreated(options)
    expect(await recreated(options)).toEqual(made)
    expect(await recreated({ ...options, data: await folder() })).toEqual(made)
    expect(different(made)).toBe(true)
  }
  const [one, two] = [await recreated({ seed: '1' }), await recreated({ seed: '2' })]
  expect(different([...one, ...two])).toBe(true)
})

test('a world never repeats an id after a stop, a kill or a restore', async () => {
  const data = await folder()
  const made: string[][] = []
  const run = async (work: (sandbox: Sandbox) => Promise<unknown>) => {
    await using sandbox = await createSandbox({ data, seed: '1' })
    await work(sandbox)
  }
  const send = async ({ client }: { client: Client }) => {
    const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
    made.push([message_id])
  }
  await run((sandbox) => Promise.all([send(sandbox), sandbox.snapshot('one')]))
  await run(send)
  const child = await startChild(data)
  await send(child)
  await child.end('SIGKILL')
  await run(async (sandbox) => {
    await send(sandbox)
    await sandbox.restore('one')
    await send(sandbox)
  })
  await run(send)
  expect(made).toHaveLength(6)
  expect(different(made)).toBe(true)
})

test("the id of another account's message, contact or endpoint is always unknown", async () => {
  for (const options of [{}, { seed: '1' }] satisfies SandboxOptions[]) {
    await using sandbox = await createSandbox(options)
    const mine = await madeIn(sandbox.client)
    await madeIn(sandbox.as('two'))
    const headers = { Authorization: 'Bearer sk_sandbox_two' }
    const [message, contact, , webhook] = mine
    for (const path of [`/v1/messages/${message}`, `/v1/contacts/${contact}`, `/_sandbox/events/${mine.at(-1)}`])
      expect(await ask(sandbox, 'GET', path, { headers })).toMatchObject({ status: 404 })
    expect(await ask(sandbox, 'DELETE', `/v1/webhooks/${webhook}`, { headers })).toMatchObject({ status: 404 })
  }
})

test('ids of a world file are the same everywhere, and random outcomes depend on the seed alone', async () => {
  const fates = async () => {
    await using sandbox = await createSandbox()
    const { client } = sandbox
    expect((await client.contacts.get(contactOf(50))).id).toBe(contactOf(50))
    await client.rules.add({ behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' }, share: '30%' })
    await sandbox.snapshot('one')
    const visibility = async () => {
      for (let nn = 50; nn < 70; nn++) await client.messages.send({ ...rcsText, to: `+4917139200${nn}` })
      await sandbox.clock.advance('1h')
      const { messages } = await client.messages.list({ limit: 20 })
      return messages.map(({ status, sent_at, delivered_at, read_at }) => ({ status, sent_at, delivered_at, read_at }))
    }
    const before = await visibility()
    await sandbox.restore('one')
    expect(await visibility()).toEqual(before)
    return before
  }
  const first = await fates()
  expect(new Set(first.map(({ status }) => status)).size).toBeGreaterThan(1)
  expect(await fates()).toEqual(first)
})
