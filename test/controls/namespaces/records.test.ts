import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { folder } from '../../folder.ts'
import { ask } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const names = async (client: { namespaces: { list(): Promise<{ namespaces: { name: string }[] }> } }) =>
  (await client.namespaces.list()).namespaces.map(({ name }) => name)

test('namespaces are listed in order of their names, with their clocks and what is next', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('zoo').clock.advance({ by: '1h' })
  await sandbox.as('ant').messages.send({ ...rcsText, to: phones.readsAll })
  const { namespaces, max_namespaces } = await sandbox.client.namespaces.list()
  expect(max_namespaces).toBe(1_000)
  expect(namespaces.map(({ name }) => name)).toEqual(['ant', 'default', 'zoo'])
  const [ant, , zoo] = namespaces
  expect(ant).toMatchObject({ state: 'open', clock: { mode: 'frozen' } })
  expect(ant!.next_due_at).toMatch(/^2026-01-01T00:00:00/)
  expect(zoo!.clock!.now).toBe('2026-01-01T01:00:00.000Z')
})

test('a deleted namespace is removed, also from disk, and its key creates it again', async () => {
  for (const data of [undefined, await folder()]) {
    const sandbox = await createSandbox({ data })
    const client = sandbox.as('suite')
    const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
    await client.clock.advance({ by: '1h' })
    expect(await sandbox.client.namespaces.delete('suite')).toEqual({ name: 'suite', deleted: true })
    expect(await names(sandbox.client)).toEqual(['default'])
    await expect(client.messages.get(message_id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await client.messages.list()).messages).toEqual([])
    expect((await client.messages.send({ ...rcsText, to: phones.readsAll })).message_id).not.toBe(message_id)
    await sandbox.client.namespaces.delete('suite')
    await sandbox.stop()
    if (data === undefined) continue
    await using again = await createSandbox({ data })
    expect(await names(again.client)).toEqual(['default'])
  }
})

test('a namespace can delete itself, and the answer still comes', async () => {
  await using sandbox = await createSandbox()
  expect(await sandbox.as('suite').namespaces.delete('suite')).toMatchObject({ deleted: true })
  expect(await names(sandbox.client)).toEqual(['default'])
})

test('the default namespace is reset, not deleted; an unknown one is refused without the name of another', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('suite-1').clock.show()
  const { namespaces } = sandbox.client
  await expect(namespaces.delete('default')).rejects.toMatchObject({ status: 409, code: 'default_namespace' })
  await expect(namespaces.delete('suite1')).rejects.toMatchObject({
    status: 404,
    message: expect.stringMatching(/There is no namespace suite1; sandbox namespaces list shows all\.$/),
  })
  await expect(namespaces.reset('suite1')).rejects.toMatchObject({ status: 404 })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect(await namespaces.reset('default')).toMatchObject({ namespace: 'default', scope: 'all' })
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test('another namespace, or a part of it, is reset without its key', async () => {
  await using sandbox = await createSandbox()
  const suite = sandbox.as('suite')
  await suite.contacts.create({ email: 'ada@example.com', external_id: 'ada' })
  await suite.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.namespaces.reset('suite', { scope: 'messages' })
  expect((await suite.messages.list()).messages).toEqual([])
  expect(await suite.contacts.get('ada')).toMatchObject({ external_id: 'ada' })
  await sandbox.client.namespaces.reset('suite')
  await expect(suite.contacts.get('ada')).rejects.toMatchObject({ code: 'not_found' })
})

test('a namespace beyond the limit is refused with a remedy', async () => {
  await using sandbox = await createSandbox({ maxNamespaces: 2 })
  await sandbox.as('one').clock.show()
  const two = sandbox.as('two')
  const refusal = { status: 409, code: 'too_many_namespaces', body: { max_namespaces: 2 } }
  await expect(two.clock.show()).rejects.toMatchObject(refusal)
  await expect(two.messages.send({ ...rcsText, to: phones.readsAll })).rejects.toMatchObject(refusal)
  const answer = await ask({ ...sandbox, apiKey: 'sk_sandbox_two' }, 'GET', '/v1/billing/balance')
  expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-ratelimit-limit': expect.any(String) })
  expect(answer.json.message).toContain('namespaces delete <name>, with the key of another')
  await sandbox.client.namespaces.delete('one')
  expect(await two.clock.show()).toMatchObject({ mode: 'frozen' })
})

test('sandbox namespaces lists, resets and deletes', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('suite').contacts.create({ email: 'ada@example.com', external_id: 'ada' })
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const listed = await sandboxCommand(['namespaces', 'list'], { env, tty: true })
  expect(listed.stdout).toMatch(/default +open[\s\S]*suite +open[\s\S]*2 of at most 1000/)
  expect((await sandboxCommand(['namespaces', 'reset', 'suite'], { env })).json).toMatchObject({ namespace: 'suite' })
  await expect(sandbox.as('suite').contacts.get('ada')).rejects.toMatchObject({ code: 'not_found' })
  expect((await sandboxCommand(['namespaces', 'delete', 'suite'], { env })).json).toMatchObject({ deleted: true })
  const unknown = await sandboxCommand(['namespaces', 'delete', 'defualt'], { env })
  expect(unknown).toMatchObject({ code: 5, error: { message: expect.stringContaining('no namespace defualt;') } })
})
