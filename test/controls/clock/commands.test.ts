import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const at = ({ url }: Sandbox, tty = false) => ({ tty, env: { SANDBOX_BASE_URL: url } })

test('a long list of work is counted by kind instead, and --query finds all of it', async () => {
  await using sandbox = await createSandbox()
  for (let i = 0; i < 4; i++) await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.snapshots.save({ name: 'before' })
  const counts = { 'message.dispatch': 4, 'message.deliver': 4, 'message.read': 4 }
  const { json } = await sandboxCommand(['clock', 'advance', '1m'], at(sandbox))
  expect(json).toMatchObject({ total: 12, counts, fired: [], left_out: { fired: 12 } })
  await sandbox.client.snapshots.restore('before')
  const people = await sandboxCommand(['clock', 'advance', '1m'], at(sandbox, true))
  expect(people.stdout).toMatch(/12 scheduled tasks ran\.\n {2}4 × message\.dispatch\n {2}4 × message\.deliver\n/)
  await sandbox.client.snapshots.restore('before')
  const all = await sandboxCommand(['clock', 'advance', '1m', '--query', 'fired'], at(sandbox))
  expect(JSON.parse(all.stdout)).toHaveLength(12)
})

test('the clock advances by a duration, to an instant, or to the next scheduled work', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const advance = async (...words: string[]) => (await sandboxCommand(['clock', 'advance', ...words], at(sandbox))).json
  expect(await advance('--next')).toMatchObject({ total: 1, fired: [{ what: 'message.dispatch' }] })
  expect(await advance('24h')).toMatchObject({ total: 2 })
  expect(await advance('--to', '2027-01-01T00:00Z')).toMatchObject({ now: '2027-01-01T00:00:00.000Z' })
})

test('people read which work ran and that none is scheduled', async () => {
  await using sandbox = await createSandbox({ world: 'empty' })
  const { stdout } = await sandboxCommand(['clock', 'advance', '--next'], at(sandbox, true))
  expect(stdout).toBe('✓ It is 2026-01-01T00:00:00.000Z. No scheduled work ran.\nNo work is scheduled.\n')
  await using busy = await createSandbox()
  await busy.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect((await sandboxCommand(['clock', 'advance', '--next'], at(busy, true))).stdout).toMatch(
    /1 scheduled task ran\.\n {2}\S+Z {2}message\.dispatch {2}msg_\S+\nNext scheduled work: 2026/,
  )
  expect((await sandboxCommand(['clock', 'show'], at(busy, true))).stdout).toMatch(/It does not move by itself/)
})

test('the pace of a clock is chosen by a word, and a factor where it is scaled', async () => {
  await using sandbox = await createSandbox()
  const mode = (...words: string[]) => sandboxCommand(['clock', 'mode', ...words], at(sandbox))
  expect((await mode('scaled', '--factor', '60')).json).toMatchObject({ mode: 'scaled', factor: 60 })
  expect((await mode('auto')).json).toMatchObject({ mode: 'auto' })
  expect((await sandboxCommand(['clock', 'mode', 'scaled', '--factor', '2'], at(sandbox, true))).stdout).toMatch(
    /It runs 2 times as fast as the machine/,
  )
  expect(await mode('scaled')).toMatchObject({ code: 4, error: { error: 'validation_error' } })
  expect((await mode('real', '--factor', '2')).error.message).toMatch(/is allowed only with scaled/)
})

test('start refuses an incomplete clock and names what is missing', async () => {
  for (const [clock, words] of [
    ['scaled', /scaled:60 lets an hour pass in a minute/],
    ['scaled:0', /from 0.001 to 1000000/],
    ['auot', /did you mean "auto"/],
  ] as const)
    expect(await sandboxCommand(['start', '--clock', clock])).toMatchObject({
      code: 2,
      error: { message: expect.stringMatching(words) },
    })
  expect(await sandboxCommand(['start', '--now', '2027-01-01T00:00'])).toMatchObject({
    code: 2,
    error: { message: expect.stringMatching(/for UTC write 2027-01-01T00:00Z/) },
  })
})

test('people read how far a real clock that was advanced is ahead', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  await sandbox.clock.advance('2h')
  expect((await sandboxCommand(['clock', 'show'], at(sandbox, true))).stdout).toMatch(
    /It follows the clock of the machine\. It is 2h ahead of it\.$/m,
  )
})
