import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Match } from '../../src/rules/contract.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

const root = new URL('../../', import.meta.url)
const page = await readFile(new URL('docs/rules.md', root), 'utf8')
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)

test('the shell blocks of docs/rules.md run as written', { timeout: 60_000 }, async () => {
  await using sandbox = await createSandbox()
  const bin = fileURLToPath(new URL('bin/sandbox.js', root))
  const script = `set -e\nnpx() { shift; "${process.execPath}" "${bin}" "$@"; }\n${blocks.join('\n')}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    cwd: await folder(),
    env: { ...process.env, SANDBOX_BASE_URL: sandbox.url },
  })
  expect(stdout).toContain('"removed":4')
  expect(stdout).toContain('traffic_type is TRANSACTION, not PROMOTION')
})

test('docs/rules.md names every criterion', () => {
  for (const criterion of Object.keys(Match.shape)) expect(page).toContain(`\`${criterion}\``)
})
