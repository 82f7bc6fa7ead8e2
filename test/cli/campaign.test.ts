import { expect, test } from 'vitest'
import { defineCampaign } from '../../src/controls/campaigns/contract.ts'
import { campaigns } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const status = (sandbox: Sandbox, id: string, ...flags: string[]) =>
  sandboxCommand(['campaigns', 'status', id, ...flags], { env: { SANDBOX_BASE_URL: sandbox.url } })

test('a campaign that reached all contacts is followed to its end and exits with 0', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.campaigns.trigger(campaigns.demo)
  let moved: Promise<unknown> | undefined
  const { code, lines } = await sandboxCommand(
    ['campaigns', 'status', campaigns.demo, '--watch', '--interval', '1ms'],
    {
      env: { SANDBOX_BASE_URL: sandbox.url },
      onOutput() {
        moved ??= sandbox.clock.advance('24h')
      },
    },
  )
  await moved
  expect(code).toBe(0)
  expect(lines[0]).toMatchObject({ status: 'RUNNING' })
  expect(lines.at(-1)).toMatchObject({ status: 'COMPLETED', counts: { total: 20, completed: 20 } })
})

test('a campaign that could not reach all contacts exits with 7 and reports the counts', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.campaigns.trigger(campaigns.partial)
  await sandbox.clock.advance('24h')
  const { code, error } = await status(sandbox, campaigns.partial, '--watch')
  expect(code).toBe(7)
  expect(error).toMatchObject({ error: 'not_completed', status: 'COMPLETED_PARTIAL', counts: { ineligible: 3 } })
})

test('a campaign that still runs at the time limit exits with 8; without --watch it exits with 0', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.campaigns.trigger(campaigns.demo)
  expect((await status(sandbox, campaigns.demo, '--watch', '--interval', '1ms', '--timeout', '1ms')).code).toBe(8)
  const { code, json } = await status(sandbox, campaigns.demo)
  expect(code).toBe(0)
  expect(json).toMatchObject({ status: 'RUNNING', campaign_id: campaigns.demo })
})

test('a paused campaign says how it goes on, without --watch too', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.campaigns.trigger(campaigns.demo)
  await sandbox.client.campaigns.pause(campaigns.demo)
  const argv = ['campaigns', 'status', campaigns.demo]
  const { stderr } = await sandboxCommand(argv, { tty: true, env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(stderr).toContain(`campaigns resume ${campaigns.demo}`)
})

test('a campaign shows what each node of its flow does, and its status where its contacts are', async () => {
  await using sandbox = await createSandbox()
  const at = { tty: true, env: { SANDBOX_BASE_URL: sandbox.url } }
  const [definition] = defineCampaign.examples as [object]
  const defined = await sandboxCommand(['campaigns', 'define', '--data', '-'], {
    ...at,
    stdin: JSON.stringify({ ...definition, campaign_id: campaigns.demo }),
  })
  expect(defined.stdout).toMatch(/^ *WAIT +pause +for 24h$/m)
  expect(defined.stdout).toMatch(/^ *CONDITION +check +when read, yes reader, no end$/m)
  const before = await status(sandbox, campaigns.demo)
  expect(before.stderr).toBe('')
  await sandbox.client.campaigns.trigger(campaigns.demo)
  const { stderr } = await sandboxCommand(['campaigns', 'status', campaigns.demo], at)
  expect(stderr).toContain(`campaigns contacts ${campaigns.demo}`)
  await sandbox.clock.advance('25h')
  const { stdout } = await sandboxCommand(['campaigns', 'contacts', campaigns.demo], at)
  expect(stdout).toMatch(/^\+49\d+ +completed +offer, pause, check, reader, end +campaign-demo, reader/m)
  expect(stdout).toMatch(/^messages: offer 20$/m)
})
