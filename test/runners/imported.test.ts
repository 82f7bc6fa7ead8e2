import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('in the process of another runner, messaging-sandbox/node-test handles no errors and prints nothing', async () => {
  const module = new URL('../../src/runners/node-test.ts', import.meta.url)
  const script = `await import('${module}')
    console.log(['uncaughtException', 'unhandledRejection'].map((event) => process.listenerCount(event)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('[ 0, 0 ]\n')
})
