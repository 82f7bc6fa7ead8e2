import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

interface Check {
  check: string
  outcome: 'ok' | 'warning' | 'failed'
  found: string
  remedy: string | null
}

async function doctor(argv: readonly string[] = [], options: Parameters<typeof sandboxCommand>[1] = {}) {
  const cwd = await folder()
  const { code, json } = await sandboxCommand(
    ['doctor', ...(argv.includes('--port') ? [] : ['--port', '0']), ...argv],
    { cwd, ...options },
  )
  const checks = json.checks as Check[]
  return { code, of: (name: string) => checks.find(({ check }) => check === name)!, checks }
}

test('on a suitable machine every check passes, with a sandbox or without', async () => {
  await using sandbox = await createSandbox()
  const beside = await doctor([], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(beside.code).toBe(0)
  expect(beside.of('service').found).toContain('a sandbox answers')
  const alone = await doctor([], { env: { SANDBOX_BASE_URL: 'http://localhost:1' } })
  expect(alone.code).toBe(0)
  expect(alone.of('service')).toMatchObject({ outcome: 'warning', remedy: 'Start it: sandbox start' })
  const names = ['Node.js', 'port', 'loopback', 'data folder', 'clock', 'proxy', 'service', 'signature']
  expect(alone.checks.map(({ check }) => check)).toEqual(names)
})

test('missing things are listed with their remedy, and the exit code is 3', async () => {
  const server = createServer((_, res) => res.writeHead(404).end())
  const { port } = new URL(await urlOf(server))
  const taken = await doctor(['--port', port])
  expect(taken.code).toBe(3)
  expect(taken.of('port')).toMatchObject({ outcome: 'failed', remedy: expect.stringContaining('--port 0') })

  const cwd = await folder()
  const file = await doctor(['--data', '/dev/null/data'], { cwd })
  expect(file.of('data folder')).toMatchObject({ outcome: 'failed', remedy: expect.stringContaining('--memory') })

  const proxy = await doctor([], { env: { HTTPS_PROXY: 'proxy.example.com' } })
  expect(proxy).toMatchObject({ code: 3 })
  expect(proxy.of('proxy')).toMatchObject({ outcome: 'failed', found: expect.stringContaining('HTTPS_PROXY') })
})

test('a refused key and an unreachable service fail the check of the service', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: 'sk_live_1' }
  expect(await doctor([], { env })).toMatchObject({ code: 3 })
  const gone = await doctor([], { env: { SANDBOX_BASE_URL: 'http://nowhere.invalid', SANDBOX_API_KEY: 'sk_live_1' } })
  expect(gone.of('service')).toMatchObject({ outcome: 'failed' })
})

test('people read a line for each check', async () => {
  const cwd = await folder()
  const { stdout } = await sandboxCommand(['doctor', '--port', '0'], {
    tty: true,
    cwd,
    env: { SANDBOX_BASE_URL: 'http://localhost:1' },
  })
  expect(stdout).toMatch(/^✓ Node\.js {6}\d+\.\d+\.\d+$/m)
  expect(stdout).toMatch(/^! service .*\n {15}Start it: sandbox start$/m)
})
