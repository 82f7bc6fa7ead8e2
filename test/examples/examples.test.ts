import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { installedPackage, runNode } from '../installed.ts'

const EXAMPLES = fileURLToPath(new URL('../../fixtures/examples/', import.meta.url))

/** Caches of compilers, and settings for a short run of Java. */
const COMPILERS = {
  GOCACHE: fileURLToPath(new URL('../../node_modules/.cache/go', import.meta.url)),
  JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
}

/** Runs an example as its README says, in a folder beside which the package is installed. */
async function runExample(folder: string, args: readonly string[]) {
  const home = await installedPackage()
  await cp(join(EXAMPLES, folder), join(home, folder), { recursive: true })
  return runNode(join(home, folder), args, COMPILERS)
}

const inSandbox = ['../node_modules/messaging-sandbox/bin/sandbox.js', 'exec', '--clock', 'frozen', '--']

test.each([
  ['Python', 'python', [...inSandbox, 'python3', '-m', 'unittest'], /Ran 3 tests[\s\S]*OK/],
  ['a shell', 'shell', [...inSandbox, 'sh', 'story.sh'], /the order of msg_\S+ is confirmed/],
])('the story of the shop passes in %s, against the packed package', async (_, folder, args, passed) => {
  const { code, output } = await runExample(folder, args)
  expect(output).toMatch(passed)
  expect(code).toBe(0)
})

const PYTEST = `
import pytest

def test_login(sandbox):
    phone = sandbox.lease("phone", consent=True)
    sandbox.call("POST", "/v1/messages", {
        "agent_id": "ag_live_00000000-0000-4000-8000-000000000001", "to": phone, "message_type": "MESSAGE",
        "traffic_type": "AUTHENTICATION", "content": {"text": "482913 is your code"}})
    sandbox.advance("5m")
    assert sandbox.code(phone) == "482913"

@pytest.mark.parametrize("word", ["STOP", "stop"])
def test_fails(sandbox, word):
    try:
        sandbox.call("POST", "/v1/messages", {"to": "12"})
    except Exception:
        pass
    assert sandbox.call("GET", "/v1/messages")["messages"] != []

def test_has_no_code(sandbox):
    phone = sandbox.lease("phone", consent=True)
    sandbox.call("POST", "/v1/messages", {
        "agent_id": "ag_live_00000000-0000-4000-8000-000000000001", "to": phone, "message_type": "MESSAGE",
        "traffic_type": "AUTHENTICATION", "content": {"text": "no code"}})
    sandbox.advance("5m")
    sandbox.code(phone)
`

const has = (...[program, ...args]: [string, ...string[]]) => spawnSync(program, args).status === 0

test.skipIf(!has('javac', '--version'))('the Java example logs in with a one-time code', async () => {
  const story = 'javac Sandbox.java Login.java && java Login'
  const { code, output } = await runExample('java', [...inSandbox.with(3, 'auto'), 'sh', '-c', story])
  expect(output).toContain('logged in')
  expect(code).toBe(0)
  // The libraries of the container test are missing here, which the compiler notices after its syntax.
  const home = join(await installedPackage(), 'java')
  const compiler = spawnSync('javac', ['-d', 'classes', 'LoginTest.java'], {
    cwd: home,
    encoding: 'utf8',
    env: { ...process.env, ...COMPILERS },
  })
  expect(compiler.stderr).toContain('package org.testcontainers.containers does not exist')
  expect(compiler.stderr).not.toMatch(/expected|illegal start|reached end of file/)
})

test.skipIf(!has('go', 'version'))('the Go example logs in with a one-time code', async () => {
  const story = 'test -z "$(gofmt -l .)" && go test .'
  const { code, output } = await runExample('go', [...inSandbox.with(3, 'auto'), 'sh', '-c', story])
  expect(output).toMatch(/^ok\s+example.com\/shop/m)
  expect(code).toBe(0)
})

const hasPytest = has('python3', '-m', 'pytest', '--version')

test.skipIf(!hasPytest)('the pytest fixture gives each test a world, and a failed one its page', async () => {
  const home = join(await installedPackage(), 'pytest')
  await mkdir(home, { recursive: true })
  await cp(join(EXAMPLES, 'python/conftest.py'), join(home, 'conftest.py'))
  await writeFile(join(home, 'test_shop.py'), PYTEST)
  const { code, output } = await runNode(home, [...inSandbox, 'python3', '-m', 'pytest', '-p', 'no:cacheprovider'])
  expect(output).toMatch(/3 failed, 1 passed/)
  expect(output).toContain('Refused in this world: POST /v1/messages → 400')
  // The reason of a refusal, without the lines of the fixture and of urllib.
  expect(output).toMatch(/E +conftest\.Refusal: GET \S+\/code\S+: 404 .*The newest message has none: "no code"/)
  expect(output).not.toMatch(/urllib|HTTPError|in call$/m)
  const pages = (await readdir(join(home, 'sandbox-failures'))).filter((page) => page.includes('test-fails'))
  // A world each, although their names differ only in what the names of worlds do not have.
  expect(pages).toEqual(Array(2).fill(expect.stringMatching(/^test-shop-py-test-fails-stop-[0-9a-f]{6}\.html$/)))
  expect(output).toContain(`What happened in this test: sandbox-failures/${pages[0]}`)
  expect(code).toBe(1)
})
