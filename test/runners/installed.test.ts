import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { installedPackage, runNode } from '../installed.ts'

const installed = installedPackage()

const SEND = `
  const { message_id } = await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920001',
    message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } })
  await sandbox.clock.advance('1h')`

/** One test that passes and one that fails, as each runner has them; both are told what the sandbox has sent. */
const matched = (wrap: (body: string) => string) => `
test('arrives', ${wrap(`{${SEND}
  await expect(message_id).toHaveBeenDelivered()
  await expect(receiver).toHaveReceived('message.delivered', { message_id })
  expect(receiver.deliveries[0]).toBeSignedWith(receiver.secret)
}`)})
test('is read', ${wrap(`{${SEND}
  await expect(receiver).toHaveReceived('message.read', { message_id })
}`)})
`
const asFixtures = (body: string) => `async ({ sandbox, receiver }) => ${body}`
const asBody = (body: string) => `withSandbox(async ({ sandbox, receiver }) => ${body})`

const RUNNERS: Record<string, { file: string; source: string; endless?: boolean; run: string[] }> = {
  Vitest: {
    file: 'vitest/story.test.ts',
    source: `import { expect, test } from 'messaging-sandbox/vitest'\n${matched(asFixtures)}`,
    run: ['../node_modules/vitest/vitest.mjs', 'run', '--root', '.'],
  },
  Jest: {
    file: 'jest/story.test.cjs',
    source: `const { expect, test } = require('@jest/globals')
const { withSandbox } = require('messaging-sandbox/jest')
${matched(asBody)}
test('never ends', withSandbox(() => new Promise(() => {})), 500)`,
    endless: true,
    run: ['../node_modules/jest/bin/jest.js', '--config', '{"testMatch":["**/*.test.cjs"],"transform":{}}'],
  },
  'node:test': {
    file: 'node/story.test.ts',
    source: `import { test } from 'node:test'
import { assertDelivered, assertReceived, assertSignedWith, withSandbox } from 'messaging-sandbox/node-test'
${matched(asBody)
  .replace(/expect\((message_id)\)\.toHaveBeenDelivered\(\)/, 'assertDelivered($1)')
  .replace(/expect\((receiver)\)\.toHaveReceived\(/g, 'assertReceived($1, ')
  .replace(/expect\(([^)]*)\)\.toBeSignedWith\(/, 'assertSignedWith($1, ')}
test('never ends', { timeout: 500 }, withSandbox(() => new Promise(() => {})))`,
    endless: true,
    run: ['--test', '--test-reporter=spec', 'story.test.ts'],
  },
  Playwright: {
    file: 'playwright/story.spec.ts',
    source: `import { expect, test } from 'messaging-sandbox/playwright'\n${matched(asFixtures)}`,
    run: ['../node_modules/@playwright/test/cli.js', 'test', '--reporter=line'],
  },
}

test.each(Object.entries(RUNNERS))('%s gives each test its sandbox, and says why one fails', async (_, runner) => {
  const home = await installed()
  const file = join(home, runner.file)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, runner.source)
  const { code, said } = await runNode(dirname(file), runner.run)
  expect(said).toContain('No message.read has happened. The newest events are message.delivered, message.queued.')
  expect(said).toContain('planned: outcome delivered, whatever else is set')
  expect(said).toMatch(/1 passed|pass 1\b/)
  expect(said).toMatch(/[12] failed|(fail|cancelled) 1\b/)
  expect(code).toBe(1)
  const kept = await readdir(join(dirname(file), 'sandbox-failures'))
  const endless = runner.endless ? ['story-never-ends.html', 'story-never-ends.snapshot'] : []
  const [page, snapshot] = ['story-is-read.html', 'story-is-read.snapshot']
  expect(kept).toEqual([page, snapshot, ...endless])
  for (const file of endless) expect(said).toContain(file)
  expect(said).toContain(`What happened in its sandbox: sandbox-failures/${page}`)
  expect(said).toContain(`npx sandbox start --memory --snapshot sandbox-failures/${snapshot}`)
  expect(await readFile(join(dirname(file), 'sandbox-failures', page), 'utf8')).toContain(
    'No message.read has happened',
  )
})
