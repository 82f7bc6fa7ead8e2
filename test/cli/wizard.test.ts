import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

const TO = 'Recipient (phone number or email address)?'
const TEXT = 'Text of the message?'
const OWN = '+4915112345678'

test('a send to a number without consent is answered with the commands that fix it, and they do', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const send = ['send', OWN, '--text', 'Hello']
  const { code, error } = await sandboxCommand(send, { env })
  const commands = error.commands as string[]
  expect({ code, error: error.error }).toEqual({ code: 4, error: 'missing_consent' })
  expect(error.hint).toMatch(/send again:$/)
  const people = await sandboxCommand(send, { env, tty: true, program: 'npx sandbox' })
  for (const command of commands) expect(people.stderr).toContain(`\n    npx ${command}\n`)
  const wordsOf = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, a, b]) => a ?? b!)
  for (const command of commands) expect((await sandboxCommand(wordsOf(command).slice(1), { env })).code).toBe(0)
  expect((await sandboxCommand(send, { env })).code).toBe(0)
})

test('for an existing contact, only the consent is created', async () => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.contacts.create({ phone: OWN })
  const { error } = await sandboxCommand(['send', OWN, '--text', 'Hi'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(error.commands).toEqual([expect.stringContaining(`sandbox consent grant ${id} --channel-type RCS`)])
})

test('an invalid address from a service is not put into a command', async () => {
  const server = createServer((_, res) =>
    res.writeHead(422, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        error: 'missing_consent',
        message: 'No',
        to: '$(rm -rf /)',
        channel_type: 'RCS',
        message_type: 'MESSAGE',
      }),
    ),
  )
  const env = { SANDBOX_BASE_URL: await urlOf(server) }
  const { error } = await sandboxCommand(['billing', 'balance'], { env })
  expect(error).toMatchObject({ error: 'missing_consent' })
  expect(error).not.toHaveProperty('commands')
})

test('a refused answer is requested again, and the other answers are kept', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const answers = { [TO]: ['0171 3920000', OWN, '+491713920000'], [TEXT]: 'A long text' }
  const got = await sandboxCommand(['send'], { tty: true, env, answers })
  expect(got).toMatchObject({ code: 0, questions: [TO, TO, TEXT, TO] })
  expect(got.stderr).toContain('"0171 3920000" must be a phone number in international format')
  expect(got.stderr).toContain('+491713920000')
  expect(got.stderr).toContain('missing_consent')
  const [message] = (await sandbox.client.messages.list({})).messages
  expect(message).toMatchObject({ to: '+491713920000', content: { text: 'A long text' } })
})

test('values of flags are not requested again', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const got = await sandboxCommand(['send', OWN], { tty: true, env, answers: { [TEXT]: 'Hello' } })
  expect(got).toMatchObject({ code: 4, questions: [TEXT] })
})

test('agents create asks for required values and offers the choices', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const answers = {
    'Billing category? billing model: CONVERSATIONAL by session, NON_CONVERSATIONAL by message': 'CONVERSATIONAL',
    'Use case? purpose of the agent: decides the permitted message_type and traffic_type; fixed after submission':
      'MULTI_USE',
    'Newsletter enabled? permission to send NEWSLETTER; fixed at creation (default: no)': 'yes',
    'Display name? name of the sender': 'Corner shop',
  }
  const got = await sandboxCommand(['agents', 'create'], { tty: true, env, answers })
  expect(got, got.stderr).toMatchObject({ code: 0 })
  expect(got.stdout).toMatch(/✓ agent ag_draft_\S+ created: DRAFT/)
  expect(got.stdout).toContain('Corner shop')
  expect(got.questions).toHaveLength(4)
  // Without a terminal, the missing value is named.
  const { code, error } = await sandboxCommand(['agents', 'create'], { env })
  expect({ code, message: error.message }).toEqual({
    code: 2,
    message: 'Missing --region, --billing-category, --use-case.',
  })
})
