import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { createSandbox } from '../../sandbox.ts'

const at = ({ url }: Sandbox) => ({ env: { SANDBOX_BASE_URL: url } })

test('faults are added, listed and removed on the command line', async () => {
  await using sandbox = await createSandbox()
  const run = (line: string) => sandboxCommand(line.split(' '), at(sandbox))
  const added = await run('faults add --route POST:/v1/messages --status 503 --times 3')
  expect(added).toMatchObject({
    code: 0,
    json: { routes: ['POST:/v1/messages'], status: 503, times: 3, target: 'api' },
  })
  expect(await run('faults add --event message.delivered --duplicate')).toMatchObject({
    code: 0,
    json: { events: ['message.delivered'], duplicate: true, does: 'sends the event twice' },
  })
  expect(await run('faults add --route * --latency 1ms..2ms --share 20%')).toMatchObject({
    code: 0,
    json: { share: 0.2 },
  })
  expect(await run('faults add --route messages.get --truncate 50% --name half')).toMatchObject({
    code: 0,
    json: { truncate: 0.5, name: 'half' },
  })
  expect(((await run('faults list')).json.faults as unknown[]).length).toBe(4)
  const id = String(added.json.id)
  expect(await run(`faults show ${id}`)).toMatchObject({ code: 0, json: { id, hits: 0 } })
  expect(await run(`faults remove ${id}`)).toMatchObject({ code: 0, json: { id } })
  expect(await run(`faults remove ${id}`)).toMatchObject({ code: 5 })
  expect(await run('faults clear')).toMatchObject({ code: 0, json: { removed: 3 } })
})

test('an unknown route is refused at the command line with the nearest', async () => {
  await using sandbox = await createSandbox()
  const { code, error } = await sandboxCommand(
    ['faults', 'add', '--route', 'messages.sned', '--status', '503'],
    at(sandbox),
  )
  expect(code).toBe(4)
  expect(error.message).toContain('did you mean "messages.send"?')
})

test('a person reads what a fault does, how often it did, and how to undo it', async () => {
  await using sandbox = await createSandbox()
  const people = { ...at(sandbox), tty: true }
  const added = await sandboxCommand(['faults', 'add', '--event', 'message.*', '--drop', '--times', '2'], people)
  expect(added.stdout).toMatch(/^✓ flt_\S+ {2}message\.\*: drops the attempt, 2 times$/m)
  expect(added.stdout).toContain('not events that listen forwards')
  expect(added.stdout).toMatch(/Undo {2}sandbox faults remove flt_/)
  const { stdout } = await sandboxCommand(['faults', 'list'], people)
  expect(stdout).toMatch(/^id .*events .*does .*seen .*hits .*active$/m)
  expect((await sandboxCommand(['faults', 'clear'], people)).stdout).toContain('1 fault removed')
})

test.each([
  ['an injected refusal', { status: 503 }, 11, 'service_unavailable', /^The fault flt_.* answers 503 here/],
  ['a reset', { reset: 'after' }, 6, 'unanswered', /closed the connection/],
  ['a cut answer', { truncate: '50%' }, 6, 'unanswered', /closed the connection/],
] as const)('sandbox send under %s says so and ends with its exit code', async (_, effect, exit, error, message) => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], ...effect })
  const sent = await sandboxCommand(['send', '+491713920000', '--text', 'Hello'], at(sandbox))
  expect(sent.code).toBe(exit)
  expect(sent.error).toMatchObject({ error, message: expect.stringMatching(message) })
  if (exit === 6) expect(sent.error.hint).toContain('--idempotency-key')
})
