import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'
import { runCommands } from './commands.ts'

test('the shell blocks of docs/targets.md run as written', async () => {
  await using sandbox = await createSandbox()
  const blocks = shellBlocks(await readPage('docs/targets.md'))
  expect(blocks.length).toBeGreaterThan(2)
  const lines = blocks.join('\n').replaceAll('http://localhost:7270', sandbox.url)
  const ran = await runCommands(lines, { url: sandbox.url, env: { XDG_CONFIG_HOME: await folder() } })
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
  const stdout = ran.map((one) => one.stdout).join('')
  expect(stdout).toContain('"base_url_from":"SANDBOX_BASE_URL"')
  expect(stdout).toContain('"base_url_from":"profile alice (--profile)"')
  expect(stdout).toContain('"billing.balance":"/v1/wallet"')
  expect(stdout).not.toContain('sk_sandbox_alice')
})
