import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { installedPackage, runNode, runShellIn } from '../installed.ts'

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

const KEYS = `
from http.client import HTTPConnection

def test_has_a_wrong_key(sandbox):
    application = HTTPConnection(sandbox.url.split("/")[2])
    application.request("GET", "/v1/messages", headers={"Authorization": "Bearer sk_live_1"})
    assert application.getresponse().status == 200

def test_calls_another_address(sandbox):
    assert False
`

const has = (...[program, ...args]: [string, ...string[]]) => spawnSync(program, args).status === 0

test.skipIf(!has('javac', '--version'))('the Java example logs in with a one-time code', async () => {
  const story = 'javac Sandbox.java Login.java && java Login'
  const { code, output } = await runExample('java', [...inSandbox.with(3, 'auto'), 'sh', '-c', story])
  expect(output).toContain('logged in')
  expect(code).toBe(0)
  const home = join(await installedPackage(), 'java')
  const nowhere = { ...COMPILERS, SANDBOX_BASE_URL: 'http://127.0.0.1:1' }
  const alone = await runShellIn(home, 'java Login', nowhere)
  expect(alone.output).toMatch(/AssertionError: .*\nWhat happened in this test: there is no page: .*ConnectException/)
  // The libraries of the container test are missing here, which the compiler notices after its syntax.
  const compiler = spawnSync('javac', ['-d', 'classes', 'LoginTest.java'], {
    cwd: home,
    encoding: 'utf8',
    env: { ...process.env, ...COMPILERS },
  })
  expect(compiler.stderr).toContain('package org.testcontainers.containers does not exist')
  expect(compiler.stderr).not.toMatch(/expected|illegal start|reached end of file/)
})

const hasGo = has('go', 'version')

test.skipIf(!hasGo)('the Go example logs in with a one-time code', async () => {
  const story = 'test -z "$(gofmt -l .)" && go test .'
  const { code, output } = await runExample('go', [...inSandbox.with(3, 'auto'), 'sh', '-c', story])
  expect(output).toMatch(/^ok\s+example.com\/shop/m)
  expect(code).toBe(0)
})

const GO_WORLDS = `package shop

import "testing"

func TestWorlds(t *testing.T) {
	for _, name := range []string{"STOP", "stop", "Grüße", "50% off", "a name that is longer than the name of a world may be, which ends at 64"} {
		t.Run(name, func(t *testing.T) { t.Log("world:", Open(t).URL) })
	}
}
`

test.skipIf(!hasGo)('each test in Go has its own world, whatever its name and package', async () => {
  const home = join(await installedPackage(), 'go-worlds')
  for (const folder of [home, join(home, 'inner')]) {
    await cp(join(EXAMPLES, 'go'), folder, { recursive: true, filter: (file) => !/go.mod$/.test(file) })
    await writeFile(join(folder, 'worlds_test.go'), GO_WORLDS)
  }
  await cp(join(EXAMPLES, 'go/go.mod'), join(home, 'go.mod'))
  const { code, output } = await runNode(home, [...inSandbox, 'go', 'test', '-v', '-run', 'Worlds', './...'], COMPILERS)
  expect(new Set(output.match(/(?<=world: ).*/g))).toHaveProperty('size', 10)
  expect(code).toBe(0)
})

const hasPytest = has('python3', '-m', 'pytest', '--version')

const pytest = ['python3', '-m', 'pytest', '-p', 'no:cacheprovider']

test.skipIf(!hasPytest)('the pytest fixture gives each test a world, and a failed one its page', async () => {
  const home = join(await installedPackage(), 'pytest')
  await mkdir(home, { recursive: true })
  await cp(join(EXAMPLES, 'python/conftest.py'), join(home, 'conftest.py'))
  await writeFile(join(home, 'test_shop.py'), PYTEST)
  await writeFile(join(home, 'test_keys.py'), KEYS)
  const { code, output } = await runNode(home, [...inSandbox, ...pytest], {
    // As on Windows, the encoding of files is not UTF-8 by default.
    ...{ LC_ALL: 'C', PYTHONUTF8: '0', PYTHONIOENCODING: 'utf-8' },
  })
  expect(output).toMatch(/5 failed, 1 passed/)
  expect(output).toContain('Refused in this world: POST /v1/messages → 400')
  // By the test that made them alone.
  expect(output.match(/^Calls without a valid API key while this test ran/gm)).toHaveLength(1)
  // The reason of a refusal, without the lines of the fixture and of urllib.
  expect(output).toMatch(/E +conftest\.Refusal: GET \S+\/code\S+: 404 .*The newest message has none: "no code"/)
  expect(output).not.toMatch(/urllib|HTTPError|in call$/m)
  const pages = (await readdir(join(home, 'sandbox-failures'))).filter((page) => page.includes('test-fails'))
  // A world each, although their names differ only in what the names of worlds do not have.
  expect(pages).toEqual(Array(2).fill(expect.stringMatching(/^test-shop-py-test-fails-stop-[0-9a-f]{6}\.html$/)))
  expect(output).toContain(`What happened in this test: sandbox-failures/${pages[0]}`)
  expect(code).toBe(1)
})

test.skipIf(!hasPytest)('the pytest fixture reports a sandbox that does not answer as a failed test', async () => {
  const home = join(await installedPackage(), 'pytest-alone')
  await mkdir(home, { recursive: true })
  await cp(join(EXAMPLES, 'python/conftest.py'), join(home, 'conftest.py'))
  await writeFile(join(home, 'test_shop.py'), `${PYTEST}\ndef test_needs_none():\n    pass\n`)
  const nowhere = ['env', 'SANDBOX_BASE_URL=http://127.0.0.1:1', 'SANDBOX_API_KEY=none']
  const { output } = await runNode(home, [...inSandbox, ...nowhere, ...pytest])
  expect(output).toMatch(/E +ConnectionError: No sandbox answers at http:\S+: .*Run the suite as: npx sandbox exec/)
  expect(output).toMatch(/4 failed, 1 passed/)
})

test('the pytest fixture uses only what pytest 7 has', async () => {
  // Debian 12 has pytest 7.2, which knows no hookimpl(wrapper=True).
  expect(await readFile(join(EXAMPLES, 'python/conftest.py'), 'utf8')).toContain(
    '\n@pytest.hookimpl(hookwrapper=True)\n',
  )
})
