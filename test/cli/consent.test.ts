import { expect, test } from 'vitest'
import { contactOf, phones } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

async function commands() {
  const sandbox = await createSandbox()
  const run = (line: string, tty = false) =>
    sandboxCommand(line.split(' '), { env: { SANDBOX_BASE_URL: sandbox.url }, tty })
  return { run, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() }
}

test('consent is revoked by channel type and message type', async () => {
  await using sandbox = await commands()
  const { run } = sandbox
  const revoked = await run('consent revoke magic-50 --channel-type RCS --message-type NEWSLETTER')
  expect(revoked.json).toMatchObject({ status: 'REVOKED', channel_type: 'RCS', message_type: 'NEWSLETTER' })
  const confirmed = await run('consent confirm magic-42 --message-type MESSAGE')
  expect(confirmed.json).toMatchObject({ status: 'GRANTED', message_type: 'MESSAGE' })
})

test('without options, the one record that can be changed is taken', async () => {
  await using sandbox = await commands()
  const { run } = sandbox
  await run('contacts create --email ada@example.com --external-id ada')
  await run('consent request ada --channel-type EMAIL --message-type NEWSLETTER --doi-channel EMAIL --source form')
  const confirmed = await run('consent confirm ada')
  expect(confirmed.json).toMatchObject({ status: 'GRANTED', message_type: 'NEWSLETTER' })
  const again = await run('consent confirm ada')
  expect(again).toMatchObject({ code: 2, error: { message: 'Missing <record>: 0 records fit.' } })
})

test('options that fit no record, or several, are refused with the records', async () => {
  await using sandbox = await commands()
  const { run } = sandbox
  const several = await run('consent revoke magic-50 --channel-type RCS')
  expect(several).toMatchObject({ code: 2, error: { message: '2 records have these values.' } })
  expect(several.error.hint).toMatch(/cr_\S+ RCS MESSAGE, cr_\S+ RCS NEWSLETTER\.$/)
  const none = await run('consent revoke magic-50 --channel-type EMAIL')
  expect(none).toMatchObject({ code: 2, error: { message: 'No record has these values.' } })
  const unnamed = await run('consent revoke magic-50')
  expect(unnamed.error).toMatchObject({
    message: 'Missing <record>: 2 records fit.',
    hint: expect.stringMatching(/--channel-type and --message-type\. Records: cr_/),
  })
  expect((await run('consent revoke magic-50 cr_1 --channel-type RCS')).error.message).toContain('not both')
})

test('a grant shows people the command that undoes it, and a refused send since when consent is revoked', async () => {
  await using sandbox = await commands()
  const { run } = sandbox
  const granted = await run(`consent grant magic-50 --channel-type RCS --message-type NEWSLETTER --source "form"`, true)
  const [, undo] = /Undo {2}sandbox (consent revoke c_\S+ cr_\S+)/.exec(granted.stdout)!
  const { json } = await run(undo!)
  const refused = await run(`send ${phones.ordinary} --text Hello --message-type NEWSLETTER --traffic-type PROMOTION`)
  expect(refused.error).toMatchObject({
    error: 'missing_consent',
    message: `Consent has been REVOKED since ${json.revoked_at}. Do not send. Record new consent only after the contact has given it.`,
    revoked_at: json.revoked_at,
    hint: 'Do not send. Record new consent only after the contact has given it.',
  })
  expect(refused.error).not.toHaveProperty('commands')
})

test('a newsletter that waits for a double opt-in is to be confirmed, not granted over it', async () => {
  await using sandbox = await commands()
  const type = '--message-type NEWSLETTER'
  const { error } = await sandbox.run(`send ${phones.consentPending} --text Hello ${type} --traffic-type PROMOTION`)
  expect(error).toMatchObject({
    error: 'missing_consent',
    message: 'Double opt-in is not confirmed yet. Wait for the contact to open the confirmation link.',
    commands: [`sandbox consent confirm ${contactOf(42)} --channel-type RCS ${type}`],
  })
})
