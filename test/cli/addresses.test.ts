import { expect, test } from 'vitest'
import { phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const at = ({ url }: Sandbox) => ({ env: { SANDBOX_BASE_URL: url } })
const to = phones.ordinary

test('an address stands for the newest message to it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to })
  await clock.advance('1h')
  const { message_id } = await client.messages.send({ ...rcsText, to })
  await client.messages.send({ ...rcsText, to: phones.readsAll })
  for (const command of ['explain', 'messages get']) {
    const { json, stderr } = await sandboxCommand([...command.split(' '), to], at(sandbox))
    expect(json.message_id ?? json.id).toBe(message_id)
    expect(stderr).toBe('')
  }
  expect(await sandboxCommand(['explain', '+491700'], at(sandbox))).toMatchObject({ code: 4 })
  expect(await sandboxCommand(['messages', 'get', phones.noContact], at(sandbox))).toMatchObject({
    code: 5,
    error: { message: `No message to ${phones.noContact} was sent.` },
  })
})

test('explain names the refused send that left no message', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const send = () => client.messages.send({ ...rcsText, to: phones.noContact })
  await send().catch(() => {})
  const { requests } = await client.logs.list()
  expect(await sandboxCommand(['explain', phones.noContact], at(sandbox))).toMatchObject({
    code: 5,
    error: {
      error: 'not_found',
      message: `No message to ${phones.noContact} was accepted. The newest send to it was refused at 2026-01-01T00:00:00.000Z with 422 missing_consent (${requests[0]!.request_id}): ${requests[0]!.message}`,
      hint: `To list the sends to this address: sandbox logs --to ${phones.noContact}`,
    },
  })
  await clock.advance('1h')
  const { message_id } = await client.messages.send({ ...rcsText, to })
  await client.messages.send({ ...rcsText, to, content: {} }).catch(() => {})
  const { json, error } = await sandboxCommand(['explain', to], at(sandbox))
  expect(json).toMatchObject({ message_id })
  expect(error).toMatchObject({ type: 'refused', message: expect.stringContaining('400 validation_error') })
  await client.messages.send({ ...rcsText, to })
  expect((await sandboxCommand(['explain', to], at(sandbox))).stderr).toBe('')
})

test('an address is refused as the subject of events, which is the id of a record', async () => {
  await using sandbox = await createSandbox()
  for (const command of ['events list', 'events deliveries', 'events tail --since start', 'expect message.queued'])
    for (const address of [to, 'ada@example.com'])
      expect(await sandboxCommand([...command.split(' '), '--subject', address], at(sandbox))).toMatchObject({
        code: 4,
        error: { message: expect.stringContaining('must be the id of a record, not an address') },
      })
})
