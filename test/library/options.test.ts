import { expect, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { checkNode } from '../../src/library/options.ts'
import { phones, rcsText } from '../magic.ts'

test('an option that there is not is refused with the nearest', async () => {
  await expect(createSandbox({ clok: 'real' } as SandboxOptions)).rejects.toMatchObject({
    code: 'validation_error',
    message: 'clok: is no option of createSandbox, did you mean "clock"?',
  })
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
  const said = (calling: Promise<unknown>) =>
    calling.then(
      () => 'taken',
      ({ message }: Error) => message,
    )
  const misspelt = <T>(options: object) => options as T
  expect(await said(client.billing.balance(misspelt({ timeoutms: 5 })))).toBe(
    'timeoutms: is no option of a call, did you mean "timeoutMs"?',
  )
  expect(
    await said(client.messages.send({ ...rcsText, to: phones.ordinary }, misspelt({ idempotencykey: 'x' }))),
  ).toContain('did you mean "idempotencyKey"?')
  expect(await said(sandbox.receiver(misspelt({ evnts: ['message.failed'] })))).toContain('did you mean "events"?')
  expect(await said(sandbox.waitFor(event, {}, misspelt({ withn: '3s' })))).toContain('did you mean "within"?')
  expect(await said(sandbox.waitFor('message.deliverd' as typeof event))).toContain(`did you mean "${event}"?`)
  expect(await said(sandbox.waitFor(event, { message_id: undefined as never }))).toContain('message_id: is undefined')
  const receiver = await sandbox.receiver()
  expect(() => receiver.answer(misspelt({ failfirst: 2 }))).toThrow('did you mean "failFirst"?')
})
