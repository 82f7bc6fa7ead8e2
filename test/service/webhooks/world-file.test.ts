import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { startReceiver } from '../../receiver.ts'
import { makeContact, start } from './empty-world.ts'

async function writeWorld(webhooks: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-world-'))
  const path = join(folder, 'world.yaml')
  await writeFile(path, JSON.stringify({ seed: 'file', webhooks }))
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

test('endpoints of the world file get events from the start, in every namespace', async () => {
  await using receiver = await startReceiver()
  await using world = await writeWorld({
    endpoints: [{ url: receiver.url, events: ['contact.*'], secret: 'from-file' }],
  })
  await using sandbox = await start({ world: world.path })
  await makeContact(sandbox)
  await sandbox.as('other').contacts.create({ email: 'other@example.com' })
  const [first, second] = await receiver.until(2)
  expect([first!.event.data.email, second!.event.data.email].sort()).toEqual(['ada@example.com', 'other@example.com'])
  expect(await verify('from-file', first!.body, first!.headers['x-service-signature']!)).toBe(true)
})

test.for([
  [{ endpoints: [{ url: 'http://example.com/', events: ['*'] }] }, 'webhooks.endpoints[0].url'],
  [{ endpoints: [{ url: 'https://example.com/', events: ['mesage.*'] }] }, 'webhooks.endpoints[0].events[0]'],
  [{ timeout: 'soon' }, 'webhooks.timeout'],
  [{ endpoint: [] }, 'webhooks.endpoint'],
] as const)('a world file with %j is refused, naming the field', async ([webhooks, field]) => {
  await using world = await writeWorld(webhooks)
  await expect(start({ world: world.path })).rejects.toMatchObject({ details: [{ field }] })
})
