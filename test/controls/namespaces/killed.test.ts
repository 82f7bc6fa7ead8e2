import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../../src/index.ts'
import { folder } from '../../folder.ts'
import { phones, rcsText } from '../../magic.ts'
import { startChild } from '../../world/child.ts'

test('kill -9 while worlds are created, reset, restored and deleted leaves complete worlds or none', async () => {
  const data = await folder()
  for (let round = 0; round < 3; round++) {
    const child = await startChild(data)
    const clientOf = (name: string) => createClient({ baseUrl: child.url, apiKey: `sk_sandbox_${name}` })
    const { snapshots, namespaces } = child.client
    if (round === 0) {
      await clientOf('saved').messages.send({ ...rcsText, to: phones.readsAll })
      await clientOf('saved').snapshots.save({ name: 'one' })
    }
    const names = ['a', 'b', 'c', 'd']
    const work = names.map(async (name, i) => {
      for (;;) {
        const client = clientOf(name)
        await client.messages.send({ ...rcsText, to: phones.readsAll })
        if (i === 0) await client.world.reset()
        if (i === 1) await client.snapshots.restore('one')
        if (i === 2) await namespaces.delete(name)
        if (i === 3) await snapshots.fork('one', { namespace: name, replace: true })
      }
    })
    const ended = Promise.allSettled(work)
    await new Promise((resolve) => setTimeout(resolve, 150 + 70 * round))
    await child.end('SIGKILL')
    await ended

    const again = await startChild(data)
    for (const name of [...names, 'saved']) {
      const client = createClient({ baseUrl: again.url, apiKey: `sk_sandbox_${name}` })
      const { messages } = await client.messages.list()
      const { free, reserved, total } = await client.billing.balance()
      expect(total).toBe(1_000)
      expect(reserved).toBeCloseTo(0.05 * messages.length, 4)
      expect(free + reserved).toBeCloseTo(total, 4)
      await client.clock.advance({ by: '1h' })
      expect((await client.messages.list()).messages.every(({ status }) => status === 'read')).toBe(true)
      await client.snapshots.restore('one')
      expect((await client.messages.list()).messages).toMatchObject([{ status: 'queued' }])
      await client.world.reset()
    }
    await createClient({ baseUrl: again.url, apiKey: 'sk_sandbox_saved' }).snapshots.restore('one')
    expect(await again.end('SIGTERM')).toBe(0)
    expect(again.stderr()).toBe('')
    expect((await readdir(join(data, 'snapshots'))).filter((name) => name.endsWith('.db'))).toEqual(['one.db'])
  }
})
