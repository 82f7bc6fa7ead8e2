import { expect, onTestFinished, test, vi } from 'vitest'
import { isListening } from '../../src/http/is-listening.ts'
import { connectSandbox, createClient, createSandbox, type SandboxOptions } from '../../src/index.ts'
import { checkNode } from '../../src/library/start.ts'
import { createSuite } from '../../src/runners/suite.ts'
import { holdMachineClock } from '../machine-clock.ts'
import { phones, rcsText } from '../magic.ts'

test('an unknown option is refused with the nearest name', async () => {
  await expect(createSandbox({ clok: 'real' } as SandboxOptions)).rejects.toMatchObject({
    code: 'validation_error',
    message: 'clok: is not an option of createSandbox, did you mean "clock"?',
  })
})

test.each([
  [{ now: 'tomorrow' }, 'now: must be a time such as 2027-01-01T00:00Z'],
  [{ now: '9999-01-01T00:00Z' }, 'now: must be in the years 1970 to 9998'],
  [{ now: 5 }, 'now:'],
  [{ seed: 1 }, 'seed: must be a string'],
  [{ seed: '' }, 'seed: must have at least 1 character'],
  [{ data: '' }, 'data: must have at least 1 character'],
  [{ clock: 5 }, 'clock: must be a string'],
  [{ clock: 'frozn' }, 'clock:'],
  [{ world: 5 }, 'world: must be a string'],
  [{ limits: { sends: 3 } }, 'limits.sends: unknown field, did you mean "send"?'],
  [{ limits: { send: '3' } }, 'limits.send: must be a number'],
  [{ apiKey: 'x' }, 'apiKey: must have the form sk_sandbox_<namespace>'],
  [{ rateLimits: 'yes' }, 'rateLimits: must be a boolean'],
  [{ port: 70_000 }, 'port:'],
  [{ onFault: 'log' }, 'onFault: must be a function'],
  [{ maxNamespaces: 0 }, 'maxNamespaces: must be at least 1'],
])('createSandbox(%j) is refused before anything starts', async (options, message) => {
  await expect(createSandbox(options as unknown as SandboxOptions)).rejects.toThrow(message)
})

test('an undefined option is the default', async () => {
  holdMachineClock()
  const limits = { send: undefined, read: 1 }
  const options = {
    clock: undefined,
    seed: undefined,
    port: undefined,
    rateLimits: true,
    maxNamespaces: undefined,
    limits,
  }
  await using sandbox = await createSandbox(options)
  for (const _ of [1, 2]) await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary })
  await sandbox.client.messages.list()
  await expect(sandbox.client.messages.list()).rejects.toThrow('429')
  expect(await sandbox.clock.now()).toBe('2026-01-01T00:00:00.000Z')
  expect(() => createSuite({ connect: true, seed: undefined })).not.toThrow()
})

test('options of a connection, of a suite and of handles are held too', async () => {
  await using sandbox = await createSandbox()
  await expect(connectSandbox({ url: sandbox.url, apikey: 'x' } as object)).rejects.toThrow('did you mean "apiKey"?')
  await expect(connectSandbox({ url: 'x' })).rejects.toThrow('url: must be the URL of an emulator')
  await expect(connectSandbox({ url: sandbox.url, apiKey: 'x' })).rejects.toThrow('apiKey: must be a key of a sandbox')
  // A key of a shared sandbox, which this one refuses itself.
  const key = `sk_sandbox_${'a'.repeat(64)}_${'0'.repeat(40)}`
  await expect(connectSandbox({ url: sandbox.url, apiKey: key })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(() => createSuite({ failurs: 'x' } as object)).toThrow(
    'failurs: is not an option of withSandbox, did you mean "failures"?',
  )
  expect(() => createSuite({ connect: true, seed: '7' })).toThrow('seed: cannot be combined with connect')
  expect(() => sandbox.handset('0171')).toThrow('phone: must be a phone number in international format')
  expect(() => sandbox.mailbox('ada')).toThrow('address: must be an email address')
})

test('a port in use is refused with the process that has it, and what to do', async () => {
  await using sandbox = await createSandbox()
  const port = Number(new URL(sandbox.url).port)
  const error = await createSandbox({ port }).catch((error: Error) => error)
  expect(error).toMatchObject({
    name: 'PortInUse',
    message: expect.stringMatching(
      `^Port ${port} is in use by another sandbox( \\(process ${process.pid}, .*\\))?\\. Leave out the option port`,
    ),
  })
})

test('a connection takes a variable as it is meant: empty as not set, and a key from a file without its line break', async () => {
  await using sandbox = await createSandbox()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('SANDBOX_BASE_URL', `${sandbox.url}\n`)
  for (const [value, apiKey] of [
    ['', 'sk_sandbox_default'],
    ['sk_sandbox_shop\n', 'sk_sandbox_shop'],
  ] as const) {
    vi.stubEnv('SANDBOX_API_KEY', value)
    expect(await connectSandbox()).toMatchObject({ url: sandbox.url, apiKey })
  }
})

// A developer may have a sandbox at the default address.
test.skipIf(await isListening('localhost', 7270))(
  'a connection to nothing at the default address names the variable that is not set',
  async () => {
    vi.stubEnv('SANDBOX_BASE_URL', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const suite = createSuite({ connect: true })
    await expect(suite.open({ title: 'a test' })).rejects.toThrow(
      /^http:\/\/localhost:7270 cannot be reached: .*\. SANDBOX_BASE_URL is not set: run the tests with "sandbox exec -- /,
    )
  },
)

test('a sandbox of a namespace that was stopped does not make it again', async () => {
  await using sandbox = await createSandbox()
  const own = sandbox.namespace('shop')
  await own.client.billing.balance()
  await own.stop()
  await expect(own.client.billing.balance()).rejects.toThrow('This sandbox was stopped, and its namespace shop deleted')
  expect((await sandbox.client.namespaces.list()).namespaces.map(({ name }) => name)).toEqual(['default'])
})

test('a Node that cannot run it is named, and what is needed', () => {
  expect(() => checkNode({ ...process.versions, node: '20.20.2', napi: '9' })).toThrow(
    'messaging-sandbox needs Node 22.22 or newer; this is Node 20.20.2.',
  )
  expect(() => checkNode()).not.toThrow()
})

test('what is misspelt in JavaScript is refused, wherever the library takes options', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const event = 'message.delivered'
  const messageOf = (calling: Promise<unknown>) =>
    calling.then(
      () => 'taken',
      ({ message }: Error) => message,
    )
  const misspelt = <T>(options: object) => options as T
  expect(await messageOf(client.billing.balance(misspelt({ timeoutms: 5 })))).toBe(
    'timeoutms: is not an option of a call, did you mean "timeoutMs"?',
  )
  expect(
    await messageOf(client.messages.send({ ...rcsText, to: phones.ordinary }, misspelt({ idempotencykey: 'x' }))),
  ).toContain('did you mean "idempotencyKey"?')
  expect(await messageOf(sandbox.receiver(misspelt({ evnts: ['message.failed'] })))).toContain('did you mean "events"?')
  expect(await messageOf(sandbox.waitFor(event, {}, misspelt({ withn: '3s' })))).toContain('did you mean "within"?')
  expect(await messageOf(sandbox.waitFor('message.deliverd' as typeof event))).toContain(`did you mean "${event}"?`)
  expect(await messageOf(sandbox.waitFor(event, { message_id: undefined as never }))).toContain(
    'message_id: is undefined',
  )
  expect(await messageOf(client.messages.get(undefined as never))).toBe(
    'client.messages.get(): the parameter "id" is missing (undefined).',
  )
  expect(await messageOf(client.webhooks.update({ id: 'x', secret: 'y' } as never, {}))).toBe(
    'client.webhooks.update(): the parameter "id" must be a text, not an object.',
  )
  expect(await messageOf(client.consent.revoke('c_1', null as never))).toContain('"record_id" is missing (null)')
  const receiver = await sandbox.receiver()
  expect(() => receiver.answer(misspelt({ failfirst: 2 }))).toThrow('did you mean "failFirst"?')
})

test('a client takes the address that users copy, and refuses any other text when it is made', async () => {
  await using sandbox = await createSandbox()
  const { free } = await createClient({ baseUrl: `${sandbox.url}/v1/`, apiKey: sandbox.apiKey }).billing.balance()
  expect(free).toBe(1000)
  const made = (baseUrl: string) => () => createClient({ baseUrl, apiKey: sandbox.apiKey })
  expect(made('localhost:7270')).toThrow(
    'baseUrl must be an http or https address, not "localhost:7270". Did you mean http://localhost:7270?',
  )
  expect(made(undefined as never)).toThrow('baseUrl must be an http or https address, not "undefined".')
})
