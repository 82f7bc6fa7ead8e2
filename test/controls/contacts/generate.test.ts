import { expect, onTestFinished, test } from 'vitest'
import { generate, used } from '../../../src/controls/contacts/generate.ts'
import { nouns } from '../../../src/registry/nouns.ts'
import { countContacts } from '../../../src/service/contacts/actions.ts'
import { FICTIONAL_PHONES } from '../../../src/words/fictional-phones.ts'
import type { Caller } from '../../../src/world/noun.ts'
import { Worlds } from '../../../src/world/worlds/worlds.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const consent = [{ channel_type: 'RCS', message_type: 'MESSAGE' } as const]

async function contactsOf({ client }: Sandbox, text?: string) {
  return (await client.contacts.list({ text, limit: 200 })).contacts.filter(({ email }) =>
    email?.startsWith('contact-'),
  )
}

test('generated contacts have their own reserved addresses, a name, the tag and the consent', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { last_seq } = await client.events.list({})
  expect(await client.contacts.generate({ count: 120, tag: 'load', consent })).toEqual({ generated: 120 })
  const contacts = await contactsOf(sandbox)
  expect(new Set(contacts.map(({ phone }) => phone)).size).toBe(120)
  expect(contacts.every(({ phone, email }) => /^\+1\d{3}555\d{4}$/.test(phone!) && /@example\.com$/.test(email!))).toBe(
    true,
  )
  expect(contacts.every(({ first_name, last_name, tags }) => first_name && last_name && tags.join() === 'load')).toBe(
    true,
  )
  const [contact] = contacts
  const { consent_records } = await client.contacts.get(contact!.id)
  expect(consent_records).toMatchObject([{ ...consent[0], status: 'GRANTED', source: 'generated' }])
  expect(await client.messages.send({ ...rcsText, to: contact!.phone! })).toMatchObject({
    status: 'queued',
  })
  expect((await client.events.list({ after: String(last_seq) })).events.map(({ event }) => event)).toEqual([
    'message.queued',
  ])
})

test('the same seed generates the same contacts, later calls continue, and taken addresses are skipped', async () => {
  const addresses = async (calls: readonly number[], taken?: { phone: string }) => {
    await using sandbox = await createSandbox({ seed: 'load' })
    if (taken) await sandbox.client.contacts.create(taken)
    for (const count of calls) await sandbox.client.contacts.generate({ count })
    return (await contactsOf(sandbox)).map(({ phone, first_name }) => ({ phone: phone!, first_name }))
  }
  const all = await addresses([30])
  expect(await addresses([10, 20])).toEqual(all)
  const { phone } = all[5]!
  const others = await addresses([30], { phone })
  expect(others).toHaveLength(30)
  expect(others.map((one) => one.phone)).not.toContain(phone)
})

test('more contacts than reserved numbers are left are refused, and nothing is generated', async () => {
  const onFault = (error: unknown) => {
    throw error
  }
  const worlds = new Worlds({
    file: { seed: 'load', sections: {} },
    clock: { mode: 'frozen' },
    nouns: async () => nouns,
    onFault,
  })
  onTestFinished(() => worlds.close())
  await worlds.prepare()
  await worlds.loadNouns()
  const world = worlds.get('default')
  world.transaction(() => used.set(world, FICTIONAL_PHONES - 5))
  const call = (count: number) => {
    const caller = { signal: new AbortController().signal } as Caller
    return generate(world, { params: {}, query: undefined, body: { count, consent: [] }, caller })
  }
  await expect(call(6)).rejects.toMatchObject({ code: 'limit_exceeded', details: [{ message: 'must be at most 5' }] })
  expect(countContacts(world, undefined)).toBe(0)
  expect(await call(5)).toEqual({ generated: 5 })
  expect(countContacts(world, undefined)).toBe(5)
})

test('contacts generate takes a count, a tag and consent, and says what is wrong with them', async () => {
  await using sandbox = await createSandbox()
  const command = (...args: string[]) =>
    sandboxCommand(['contacts', 'generate', ...args], { env: { SANDBOX_BASE_URL: sandbox.url } })
  const got = await command('25', '--tag', 'load', '--consent', 'rcs:message', '--consent', 'EMAIL:NEWSLETTER')
  expect([got.code, got.stdout, got.stderr]).toEqual([0, '{"generated":25}\n', ''])
  const [contact] = await contactsOf(sandbox, 'contact-25@')
  const { consent_records } = await sandbox.client.contacts.get(contact!.id)
  expect(consent_records.map(({ channel_type, message_type }) => [channel_type, message_type])).toEqual([
    ['RCS', 'MESSAGE'],
    ['EMAIL', 'NEWSLETTER'],
  ])
  expect(await command('5', '--consent', 'RCS')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('such as RCS:MESSAGE'),
  })
  expect(await command('0')).toMatchObject({ code: 4, stderr: expect.stringContaining('at least 1') })
  expect(await command('many')).toMatchObject({ code: 2 })
  // More than all numbers is refused before the first contact, not after the last.
  expect(await command('99999999999')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('for 1,332,800 contacts'),
  })
})
