import { expect, test } from 'vitest'
import { Match } from '../../../src/network/rules/contract.ts'
import { readPage, runCommands, shellBlocks } from '../../page.ts'
import { createSandbox } from '../../sandbox.ts'

const page = await readPage('docs/rules.md')

test('the shell blocks of docs/rules.md run as written', async () => {
  await using sandbox = await createSandbox()
  const stdout = await runCommands(shellBlocks(page).join('\n'), sandbox.url)
  expect(stdout).toContain('"removed":4')
  expect(stdout).toContain('traffic_type is TRANSACTION, not PROMOTION')
})

test('docs/rules.md names every criterion', () => {
  for (const criterion of Object.keys(Match.shape)) expect(page).toContain(`\`${criterion}\``)
})
