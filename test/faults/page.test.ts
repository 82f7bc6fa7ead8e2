import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

const root = new URL('../../', import.meta.url)
const page = await readFile(new URL('docs/faults.md', root), 'utf8')
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)

test('the shell blocks of docs/faults.md run as written', { timeout: 60_000 }, async () => {
  await using sandbox = await createSandbox()
  const bin = fileURLToPath(new URL('bin/sandbox.js', root))
  const script = `set -e\nnpx() { shift; "${process.execPath}" "${bin}" "$@"; }\n${blocks.join('\n')}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    cwd: await folder(),
    env: { ...process.env, SANDBOX_BASE_URL: sandbox.url },
  })
  expect(stdout).toContain('answers 503, 3 times')
  expect(stdout).toContain('exit code 6')
  expect((await sandbox.client.messages.list()).messages).toHaveLength(1)
})

interface Document {
  paths: {
    '/_sandbox/faults': {
      post: { requestBody: { content: { 'application/json': { schema: { properties: object } } } } }
    }
  }
}

test('docs/faults.md names every field of a fault', async () => {
  await using sandbox = await createSandbox()
  const answer = await fetch(`${sandbox.url}/_sandbox/openapi.json`)
  const document = (await answer.json()) as Document
  const fields = Object.keys(
    document.paths['/_sandbox/faults'].post.requestBody.content['application/json'].schema.properties,
  )
  expect(fields.length).toBeGreaterThan(20)
  for (const field of fields) if (field !== 'name') expect(page, field).toMatch(new RegExp(`\`${field}\\b`))
})
