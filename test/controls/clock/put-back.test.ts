import { expect, onTestFinished, test, vi } from 'vitest'
import { realTime } from '../../../src/world/real-time.ts'
import { folder } from '../../folder.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { startChild } from '../../world/child.ts'

const HOUR = 3_600_000

/** A machine whose clock can be put, and runs on from there. */
function machine() {
  let offsetMs = 0
  const spy = vi.spyOn(realTime, 'now').mockImplementation(() => Date.now() + offsetMs)
  onTestFinished(() => spy.mockRestore())
  return {
    put(ms: number) {
      offsetMs += ms
    },
  }
}

const now = async ({ client }: Pick<Sandbox, 'client'>) => Date.parse((await client.clock.show()).now)
const send = ({ client }: Pick<Sandbox, 'client'>) => client.messages.send({ ...rcsText, to: phones.readsAll })

for (const clock of ['real', 'scaled:60'] as const) {
  test(`on a ${clock} clock messages go on when the machine is put back by an hour`, async () => {
    const { put } = machine()
    await using sandbox = await createSandbox({ clock })
    const { message_id } = await send(sandbox)
    const before = await now(sandbox)
    put(-HOUR)
    const after = await now(sandbox)
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after).toBeLessThan(before + HOUR)
    await expect
      .poll(async () => (await sandbox.client.messages.get(message_id)).status, { interval: 20, timeout: 10_000 })
      .toMatch(/^(delivered|read)$/)
    put(HOUR)
    expect(await now(sandbox)).toBeGreaterThan(after)
  })

  test(`a world on a ${clock} clock is never found earlier than it was left, though the machine was put back meanwhile`, async () => {
    const { put } = machine()
    const data = await folder()
    let latest = 0
    for (let i = 0; i < 3; i++) {
      await using sandbox = await createSandbox({ data, clock })
      const found = await now(sandbox)
      expect(found).toBeGreaterThanOrEqual(latest)
      if (latest > 0) expect(found).toBeLessThan(latest + HOUR)
      await send(sandbox)
      latest = await now(sandbox)
      put(-HOUR)
    }
  })
}

test('after a kill the clock goes on behind all that it has stamped, though the machine was put back', async () => {
  const data = await folder()
  const child = await startChild(data)
  await child.client.clock.mode({ mode: 'real' })
  await child.client.clock.advance({ to: new Date(Date.now() + 60_000).toISOString() })
  const { created_at } = await send(child)
  await child.end('SIGKILL')
  machine().put(-HOUR)
  await using sandbox = await createSandbox({ data, clock: 'real' })
  expect(await now(sandbox)).toBeGreaterThanOrEqual(Date.parse(created_at))
  expect(Date.parse((await send(sandbox)).created_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
})
