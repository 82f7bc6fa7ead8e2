import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { phone } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { outcomes } from './rule.ts'

/** Runs commands against this sandbox. */
const shell =
  ({ url, apiKey }: Sandbox, tty = false) =>
  (...argv: string[]) =>
    sandboxCommand(argv, { tty, env: { SANDBOX_BASE_URL: url, SANDBOX_API_KEY: apiKey } })

test('a rule is added with flags for what it matches and what it does', async () => {
  await using sandbox = await createSandbox()
  const run = shell(sandbox)
  const added = await run(
    ...['rules', 'add', '--to', '+49171392005*', '--traffic-type', 'TRANSACTION', '--outcome', 'failed'],
    ...['--reason', 'REJECTED_SPAM', '--times', '3', '--share', '100%', '--name', 'spam filter'],
  )
  expect(added.json).toMatchObject({
    name: 'spam filter',
    match: { to: '+49171392005*', traffic_type: 'TRANSACTION' },
    behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
    times: 3,
    share: 1,
  })
  const id = String(added.json.id)
  const updated = await run('rules', 'update', id, '--share', '0.5', '--unset', 'traffic-type', '--unset', 'times')
  expect(updated.json).toMatchObject({ match: { to: '+49171392005*' }, share: 0.5, times: null })
  expect((await run('rules', 'show', id)).json).toEqual(updated.json)
  expect((await run('rules', 'remove', id)).json).toMatchObject({ id })
  expect((await run('rules', 'clear')).json).toEqual({ removed: 0 })
})

test('the list says in words what each rule does and how often it did', async () => {
  await using sandbox = await createSandbox()
  const run = shell(sandbox, true)
  expect((await run('rules', 'list')).stdout).toContain('no rules')
  await run('rules', 'add', '--to', phone(50), '--outcome', 'failed', '--reason', 'REJECTED_SPAM', '--times', '3')
  await run('rules', 'add', '--share', '20%', '--no-read', '--delay', '1s..5s')
  await outcomes(sandbox, { to: phone(50) })
  const { stdout } = await run('rules', 'list')
  expect(stdout).toContain(`match      to ${phone(50)} (RCS)`)
  expect(stdout).toContain('then       outcome failed, failure_reason REJECTED_SPAM')
  expect(stdout).toContain('for        2 of 3 left')
  expect(stdout).toContain('applied    1 of 1 that matched')
  expect(stdout).toContain('for        20% of them')
})

test('a rule that never matches, and an unknown flag, are refused with a remedy', async () => {
  await using sandbox = await createSandbox()
  const run = shell(sandbox, true)
  const never = await run('rules', 'add', '--to', phone(13), '--outcome', 'delivered')
  expect(never.code).toBe(4)
  expect(never.stderr).toContain('overrides rules; choose an ordinary address')
  const misspelt = await run('rules', 'add', '--outcom', 'delivered')
  expect(misspelt.code).toBe(2)
  expect(misspelt.stderr).toContain('--outcome')
  const half = await run('rules', 'add', '--outcome', 'delivered', '--share', 'half')
  expect(half.stderr).toContain('must be a share such as 20% or 0.2')
})
