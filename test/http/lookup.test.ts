import dns from 'node:dns'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { start } from '../service/webhooks/empty-world.ts'

/** Replaces the system's lookup by one that never ends, and counts its calls by name. */
function silentNameServer(): Map<string, number> {
  const lookups = new Map<string, number>()
  const { lookup } = dns
  dns.lookup = ((name: string) => void lookups.set(name, (lookups.get(name) ?? 0) + 1)) as unknown as typeof lookup
  onTestFinished(() => {
    dns.lookup = lookup
  })
  return lookups
}

test('a name is looked up once at a time, and names of this machine never', async () => {
  await using sandbox = await start({ clock: 'real' })
  await using receiver = await startReceiver()
  // Later, because a server looks up the address on which it listens.
  const lookups = silentNameServer()
  const here = receiver.url.replace('127.0.0.1', 'app.localhost')
  for (const url of ['https://silent.example/', 'https://silent.example/too', here])
    await sandbox.client.webhooks.create({ url, events: ['contact.imported'] })
  const contacts = Array.from({ length: 50 }, (_, i) => ({ email: `contact-${i}@example.com` }))
  await sandbox.client.contacts.import({ contacts })
  await receiver.until(50)
  expect([...lookups]).toEqual([['silent.example', 1]])
})
