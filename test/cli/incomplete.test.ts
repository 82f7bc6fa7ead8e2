import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../http.ts'
import { phones, rcsText } from '../magic.ts'
import { ROOT } from '../paths.ts'
import { startCommand } from './process.ts'

/** Copies the package without one of its files. The copy lies below the project, which has SQLite. */
async function packageWithout(file: string): Promise<string> {
  const folder = join(ROOT, `node_modules/.cache/incomplete-${process.pid}`)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const missing = join(ROOT, 'dist', file)
  // Programs of other tests come and go there (test/page.ts).
  const filter = (from: string) => from !== missing && !from.endsWith('.ts')
  for (const path of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter })
  return join(folder, 'bin/sandbox.js')
}

test('a missing program file is reported as such', async () => {
  const bin = await packageWithout('program.js')
  const { stderr, ended } = startCommand(['start'], { bin })
  expect(await ended).toBe(3)
  expect(stderr()).toContain('the installation is incomplete')
})

test('a request that needs a missing program file gets a 500 with its id, and the process continues', async () => {
  const bin = await packageWithout('pdf-lib.cjs')
  const { child, line, stderr, ended } = startCommand(['start', '--port', '0', '--memory', '--clock', 'frozen'], {
    bin,
  })
  const sandbox = { url: String((await line(1)).url), apiKey: 'sk_sandbox_default' }
  await ask(sandbox, 'POST', '/v1/messages', { body: { ...rcsText, to: phones.readsAll } })
  await ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { by: '40d' } })
  const [invoice] = (await ask(sandbox, 'GET', '/v1/billing/invoices')).json.data as { id: string }[]
  for (let time = 0; time < 2; time++) {
    const { status, json, headers } = await ask(sandbox, 'GET', `/v1/billing/invoices/${invoice!.id}/pdf`)
    expect(status).toBe(500)
    expect(json).toMatchObject({ error: 'internal_error', request_id: headers['x-request-id'] })
    await expect.poll(() => stderr()).toContain(String(json.request_id))
  }
  expect(stderr()).toContain("Cannot find module './pdf-lib.cjs'")
  expect((await ask(sandbox, 'GET', '/_sandbox/health')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
