import { expect, test } from 'vitest'
import { readPage, runCommands, shellBlocks } from '../../page.ts'
import { createSandbox } from '../../sandbox.ts'

const page = await readPage('docs/faults.md')

test('the shell blocks of docs/faults.md run as written', async () => {
  await using sandbox = await createSandbox()
  const stdout = await runCommands(shellBlocks(page).join('\n'), sandbox.url)
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
