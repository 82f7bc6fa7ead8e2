import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { bundlePackage } from '../../scripts/build/package-bundle.ts'
import { ask } from '../http.ts'
import { phones, rcsText } from '../magic.ts'
import { startCommand } from './process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The package without the file of its bundle that a source lies in. Below the project, for SQLite comes from there. */
async function packageWithout(source: string): Promise<string> {
  const folder = join(ROOT, `node_modules/.cache/incomplete-${process.pid}`)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(folder, { recursive: true })
  const { outputs } = await bundlePackage(join(folder, 'dist'))
  const [file] = Object.entries(outputs).find(([, { inputs }]) => inputs[source]?.bytesInOutput)!
  await rm(join(ROOT, file))
  await Promise.all(
    ['bin', 'dist/worlds', 'package.json'].map((path) => cp(path, join(folder, path), { recursive: true })),
  )
  return join(folder, 'bin/sandbox.js')
}

test('where a file is missing that is read in late, a request gets a 500 with its id, and the process goes on', async () => {
  const bin = await packageWithout('src/service/messages/index.ts')
  const { child, line, stderr, ended } = startCommand(['start', '--port', '0', '--memory'], { bin })
  const sandbox = { url: String((await line(1)).url), apiKey: 'sk_sandbox_default' }
  for (let time = 0; time < 2; time++) {
    const { status, json, headers } = await ask(sandbox, 'POST', '/v1/messages', {
      body: { ...rcsText, to: phones.readsAll },
    })
    expect(status).toBe(500)
    expect(json).toMatchObject({ error: 'internal_error', request_id: headers['x-request-id'] })
    await expect.poll(() => stderr()).toContain(String(json.request_id))
  }
  expect(stderr()).toContain('ERR_MODULE_NOT_FOUND')
  expect((await ask(sandbox, 'GET', '/_sandbox/health')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
