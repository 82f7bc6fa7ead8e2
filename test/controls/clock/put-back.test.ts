import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { steady } from '../../../src/world/machine-time.ts'
import { realTime } from '../../../src/world/real-time.ts'
import { folder } from '../../folder.ts'
import { forgetMachineTime } from '../../machine-clock.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { startChild } from '../../world/child.ts'

const HOUR = 3_600_000

/** A machine whose clock can be set, and continues from there. */
function machine() {
  let offsetMs = 0
  const spy = vi.spyOn(realTime, 'now').mockImplementation(() => Date.now() + offsetMs)
  forgetMachineTime()
  onTestFinished(() => spy.mockRestore())
  return {
    put(ms: number) {
      offsetMs += ms
    },
  }
}

/** A sandbox that has not seen the machine's clock before, as in a process of its own; the machine is an hour behind. */
async function startAnHourBehind(data: string, clock: 'real' | 'scaled:60', { put }: ReturnType<typeof machine>) {
  put(-HOUR)
  steady.continueFrom(Number.NEGATIVE_INFINITY)
  return createSandbox({ data, clock })
}

const now = async ({ client }: Pick<Sandbox, 'client'>) => Date.parse((await client.clock.show()).now)
const send = ({ client }: Pick<Sandbox, 'client'>) => client.messages.send({ ...rcsText, to: phones.readsAll })

for (const clock of ['real', 'scaled:60'] as const) {
  test(`on a ${clock} clock messages go on when the machine is set back by an hour`, async () => {
    const { put } = machine()
    await using sandbox = await createSandbox({ clock })
    const { message_id } = await send(sandbox)
    const before = await now(sandbox)
    put(-HOUR)
    const after = await now(sandbox)
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after).toBeLessThan(before + HOUR)
    await expect
      .poll(async () => (await sandbox.client.messages.get(message_id)).status, { interval: 20 })
      .toMatch(/^(delivered|read)$/)
    put(HOUR)
    expect(await now(sandbox)).toBeGreaterThan(after)
  })

  test(`a world on a ${clock} clock is never found earlier than it was left, though the machine was set back meanwhile`, async () => {
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

test('after a kill the clock goes on behind all that it has stamped, though the machine was set back', async () => {
  const data = await folder()
  const child = await startChild(data)
  await child.client.clock.mode({ mode: 'real' })
  await child.client.clock.advance({ to: new Date(Date.now() + 60_000).toISOString() })
  const { created_at } = await send(child)
  await child.end('SIGKILL')
  await using sandbox = await startAnHourBehind(data, 'real', machine())
  expect(await now(sandbox)).toBeGreaterThanOrEqual(Date.parse(created_at))
  expect(Date.parse((await send(sandbox)).created_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
})

for (const clock of ['real', 'scaled:60'] as const) {
  test(`a ${clock} clock is never found behind a time that an answer has shown, also after a kill`, async () => {
    const own = machine()
    const data = await folder()
    const killed = join(await folder(), 'data')
    await using sandbox = await createSandbox({ data, clock })
    own.put(2 * HOUR)
    const shown = await now(sandbox)
    // The files as a killed process leaves them.
    await cp(data, killed, { recursive: true })
    own.put(-2 * HOUR)
    await using again = await startAnHourBehind(killed, clock, own)
    const found = await now(again)
    expect(found).toBeGreaterThanOrEqual(shown)
    expect(found).toBeLessThan(shown + HOUR)
  })

  test(`a ${clock} clock that was left with the right time has it again when the machine has`, async () => {
    const own = machine()
    const data = await folder()
    const factor = clock === 'real' ? 1 : 60
    let left: number
    const start = Date.now()
    {
      await using sandbox = await createSandbox({ data, clock, now: new Date(start).toISOString() })
      left = await now(sandbox)
    }
    await using again = await startAnHourBehind(data, clock, own)
    expect(await now(again)).toBeGreaterThanOrEqual(left)
    own.put(HOUR)
    expect(await now(again)).toBeLessThan(start + factor * (Date.now() - start + 1_000))
  })

  test(`a ${clock} clock is right again when the machine is, also in a later process`, async () => {
    const { put } = machine()
    const data = await folder()
    const start = Date.now()
    const factor = clock === 'real' ? 1 : 60
    // A test may take a minute.
    const mostMs = 60_000 * factor
    {
      await using sandbox = await createSandbox({ data, clock, now: new Date(start).toISOString() })
      for (let i = 0; i < 3; i++) {
        put(-72 * HOUR)
        await send(sandbox)
        put(72 * HOUR)
        expect((await now(sandbox)) - start).toBeLessThan(mostMs)
      }
      put(-72 * HOUR)
    }
    await using again = await createSandbox({ data, clock })
    await again.clock.advance('1h')
    expect((await now(again)) - start).toBeLessThan(HOUR + mostMs)
    put(72 * HOUR)
    const right = await now(again)
    expect(right - start).toBeGreaterThanOrEqual(HOUR)
    expect(right - start).toBeLessThan(HOUR + mostMs)
  })

  test(`a ${clock} clock notices within a second that the machine was put forward or slept`, async () => {
    const { put } = machine()
    await using sandbox = await createSandbox({ clock, maxOpenNamespaces: 1 })
    const other = sandbox.as('other')
    const { message_id } = await other.messages.send({ ...rcsText, to: phones.after1Hour })
    // Evicts the other world, which shows in the list of namespaces without being opened.
    await sandbox.client.messages.send({ ...rcsText, to: phones.after1Hour })
    const nextDue = async () =>
      (await sandbox.client.namespaces.list()).namespaces.find(({ name }) => name === 'other')!.next_due_at
    const states = async () => (await sandbox.client.messages.list()).messages.map(({ status }) => status)
    await expect.poll(states, { interval: 20 }).toEqual(['dispatched'])
    const before = await nextDue()
    put(100 * HOUR)
    const limit = { interval: 20 }
    await expect.poll(states, limit).toContainEqual(expect.stringMatching(/^(delivered|read)$/))
    await expect.poll(nextDue, limit).not.toBe(before)
    expect((await other.messages.get(message_id)).status).toMatch(/^(delivered|read)$/)
  })
}
