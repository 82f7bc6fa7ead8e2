import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readPage } from '../page.ts'

test('the test of docs/testing.md passes as written', async () => {
  const [, code] = /<!-- kit -->\n```ts\n([\s\S]*?)```/.exec(await readPage('docs/testing.md'))!
  const file = new URL(`../../dist/testing-${process.pid}.ts`, import.meta.url)
  await writeFile(file, code!)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(file)])
    expect(stdout.trim().split(' ')).toEqual(
      expect.arrayContaining(['message.queued', 'message.delivered', 'conversation.started']),
    )
  } finally {
    await rm(file)
  }
})
