import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectSandbox } from '../../../src/index.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { agents, channels, phone } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const rcs = { agent_id: agents.multi, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const

/** Sends a code, as an application does when a user logs in. */
const sendCode = ({ client }: Sandbox, to: string, code: string) =>
  client.messages.send({ ...rcs, to, content: { text: `Your code is ${code}.` } })
const sendMail = ({ client }: Sandbox, to: string, content: { text?: string; html?: string }) =>
  client.messages.send({ channel_id: channels.email, to, content: { subject: 'Shop', ...content } })

const why = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    (error: Error) => error.message,
  )

describe('a one-time code', () => {
  test('comes from a phone, once: the next login has the next code and never the last one', async () => {
    await using sandbox = await createSandbox()
    const user = sandbox.handset(phone(1))
    await sendCode(sandbox, user.phone, '111111')
    await sandbox.clock.advance('5m')
    expect(await user.code()).toBe('111111')
    await sendCode(sandbox, user.phone, '222222')
    const early = await why(user.code())
    expect(early).toMatch(
      /No one-time code arrived at \+\d+ after the cursor \d+\.0\. The clock is frozen at \S+ An earlier one arrived at 2026-/,
    )
    expect(early).toMatch(/msg_\S+, is queued\. The next work is due at \S+: advance the clock/)
    await sandbox.clock.advance('5m')
    expect(await sandbox.handset(user.phone).code()).toBe('222222')
    // Of two unread codes the newer counts.
    await sendCode(sandbox, user.phone, '333333')
    await sandbox.clock.advance('5m')
    await sendCode(sandbox, user.phone, '444444')
    await sandbox.clock.advance('5m')
    expect(await user.code()).toBe('444444')
    expect(await why(user.code())).toContain('No one-time code arrived')
  })

  test('is the newer one, too, where both arrived at the same instant', async () => {
    await using sandbox = await createSandbox()
    await sandbox.client.carriers.updateAll({ dispatch_delay: '1s', delivery_delay: '1s' })
    await sendCode(sandbox, phone(1), '111111')
    await sendCode(sandbox, phone(1), '222222')
    await sandbox.clock.advance('5m')
    expect(await sandbox.handset(phone(1)).code()).toBe('222222')
  })

  test('is awaited on a clock that runs, in text or HTML of an email', async () => {
    await using sandbox = await createSandbox({ clock: 'auto' })
    await using ada = await sandbox.lease.email()
    const code = ada.code({ within: '1h' })
    await sendMail(sandbox, ada.address, {
      html: '<p>Hello</p><table><tr><td>Code</td><td><b>815&nbsp;199</b></td></tr></table>',
    })
    expect(await code).toBe('815199')
    const { message_id } = await sendMail(sandbox, ada.address, { text: 'Your parcel is on its way.' })
    await sandbox.waitFor('email.delivered', { message_id })
    expect(await why(ada.code({ within: '200ms' }))).toMatch(
      /The newest message has none: "Shop\\n\\nYour parcel is on its way\."/,
    )
  })

  test('in a world that others use too, is one that arrives after the call or a cursor', async () => {
    await using emulator = await createSandbox({ clock: 'auto' })
    await sendCode(emulator, phone(1), '111111')
    await emulator.waitFor('message.delivered')
    const sandbox = await connectSandbox({ url: emulator.url })
    const user = sandbox.handset(phone(1))
    expect(await why(user.code({ within: '100ms' }))).toMatch(
      / within 100ms\. An earlier one arrived at \S+\. To match it, read the cursor/,
    )
    const after = await user.cursor()
    await sendCode(emulator, phone(1), '222222')
    expect(await user.code({ after })).toBe('222222')
  })

  test('of the Test Agent is one too, and an empty inbox is reported as empty', async () => {
    await using sandbox = await createSandbox()
    expect(await why(sandbox.handset(phone(40)).code())).toMatch(/Nothing has arrived at \+\d+ at all\.$/)
    await sendCode(sandbox, phone(1), '111111')
    expect(await why(sandbox.handset(phone(40)).code())).toContain(
      `Nothing has arrived at ${phone(40)} at all. The newest message of this world is to ${phone(1)}.`,
    )
    await sandbox.client.testAgent.register({ phone: phone(40) })
    const code = await sandbox.handset(phone(40)).code()
    await sandbox.client.testAgent.verify({ phone: phone(40), code })
    expect(await why(sandbox.handset(phone(40)).code({ withn: '1s' } as object))).toContain('did you mean "within"?')
  })
})

describe('a link', () => {
  const HTML = `<a href="https://shop.example/home">Shop</a>
    <a href="https://shop.example/c?t=1&amp;u=2">Confirm your address</a> <a href="https://shop.example/bye">Leave</a>`

  test('is found by its target or its text, in HTML and in text', async () => {
    await using sandbox = await createSandbox()
    const ada = sandbox.mailbox('ada@example.com')
    await sendMail(sandbox, ada.address, { html: HTML })
    await sandbox.clock.advance('5m')
    const after = '0.0'
    expect(await ada.link(/confirm/i)).toBe('https://shop.example/c?t=1&u=2')
    expect(await ada.link('bye', { after })).toBe('https://shop.example/bye')
    expect(await ada.link(undefined, { after })).toBe('https://shop.example/home')
    expect(await why(ada.link('/[/', { after }))).toContain('match: cannot be used: the pattern [ is invalid')
    expect(await why(ada.link('reset', { after }))).toMatch(
      /No link that matches reset arrived at .* only https:\/\/shop\.example\/home \("Shop"\), \S+ \("Confirm your address"\), \S+ \("Leave"\)\./,
    )
    await sendMail(sandbox, ada.address, { text: 'Please open https://shop.example/confirm/7.' })
    await sandbox.clock.advance('5m')
    expect(await ada.link('confirm')).toBe('https://shop.example/confirm/7')
  })

  test('is not looked for with a pattern that takes long, for which all others would wait', async () => {
    await using sandbox = await createSandbox()
    const ada = sandbox.mailbox('ada@example.com')
    await sendMail(sandbox, ada.address, { text: `Please open https://shop.example/${'a'.repeat(60)}-1` })
    await sandbox.clock.advance('5m')
    expect(await why(ada.link(/(a+)+$/))).toContain('takes more than 0.05 s for this text')
  })

  test('of a double opt-in is opened and clicked like any other', async () => {
    await using sandbox = await createSandbox()
    const { client } = sandbox
    const contact = await client.contacts.create({ email: 'ada@example.com' })
    const wanted = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'PENDING', source: 'x' } as const
    const pending = await client.consent.record(contact.id, { ...wanted, enforced_doi: true, doi_channel: 'EMAIL' })
    await sandbox.clock.advance('1m')
    const ada = sandbox.mailbox('ADA@example.com')
    const nothing = { message_id: null, status: null, contact_status: null }
    expect(await ada.open()).toEqual({ ...nothing, event: null, url: null })
    expect(await why(ada.click({ index: 1 }))).toContain('has no link at index 1')
    expect(await why(ada.link('reset'))).toMatch(
      /No link that matches reset arrived at \S+ .* The newest message has only \S+\/_sandbox\/doi\/\S+ \("Please confirm your subscription"\)\.$/,
    )
    const url = await ada.link(/confirm/i)
    expect(await ada.click()).toEqual({ ...nothing, event: 'consent.updated', url })
    expect(await client.consent.list(contact.id)).toMatchObject({
      consent_records: [{ id: pending.id, status: 'GRANTED' }],
    })
    // A newer email comes first again.
    const { message_id } = await sendMail(sandbox, ada.address, { html: HTML })
    await sandbox.clock.advance('5m')
    expect(await ada.click()).toMatchObject({ message_id, url: 'https://shop.example/home' })
  })
})

test('a cursor stays valid where what others have received is deleted', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const [mine, other] = [await sandbox.lease.email({ contact: true }), await sandbox.lease.email({ contact: true })]
  const subscribe = ({ contactId }: typeof mine) => client.consent.record(contactId!, optIn)
  await subscribe(other)
  const { cursor } = await client.inbox.show(mine.address)
  await other.release()
  await subscribe(mine)
  expect(await client.inbox.link(mine.address, { after: cursor })).toMatchObject({ url: expect.stringMatching(/doi/) })
  const { cursor: next } = await client.inbox.show(mine.address)
  await sandbox.reset('messages')
  await subscribe(mine)
  expect(await client.inbox.link(mine.address, { after: next })).toMatchObject({ url: expect.stringMatching(/doi/) })
})

const optIn = {
  channel_type: 'EMAIL',
  message_type: 'NEWSLETTER',
  status: 'PENDING',
  enforced_doi: true,
  doi_channel: 'EMAIL',
  source: 'form',
} as const

test('codes and links come over HTTP and from the command line', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const after = await sandbox.handset(phone(1)).cursor()
  const args = ['--within', '1h', '--after', after, '--base-url', sandbox.url]
  const command = sandboxCommand(['inbox', 'code', phone(1), ...args])
  await wait(100)
  await sendCode(sandbox, phone(1), '424242')
  const { stdout, code } = await command
  expect([code, (JSON.parse(stdout) as { code: string }).code]).toEqual([0, '424242'])
  const answer = await fetch(`${sandbox.url}/_sandbox/inbox/${encodeURIComponent(phone(1))}/code?after=0.0`)
  expect(await answer.json()).toMatchObject({ code: '424242', message: { kind: 'MESSAGE' } })
  const missing = await sandboxCommand(['inbox', 'link', phone(1), '--within', '1ms', '--base-url', sandbox.url])
  expect([missing.code, JSON.parse(missing.stderr)]).toEqual([
    8,
    expect.objectContaining({
      error: 'not_arrived',
      message: expect.stringContaining(
        `No link arrived at ${phone(1)} within 1ms. The newest message there arrived before, at 2026-`,
      ),
      hint: expect.stringContaining('raise the time limit (within)'),
    }),
  ])
})
