import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const hasKeychain = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
)

/** The output of a shell in a session with an unlocked, empty keychain. */
async function inSession(script: string, env: Record<string, string>): Promise<string> {
  const unlocked = `gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 <<< ''\n${script}`
  const sandbox = `sandbox() { '${process.execPath}' '${BIN}' "$@"; }`
  const child = spawn('dbus-run-session', ['--', 'bash', '-c', `${sandbox}\n${unlocked}`], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  return output
}

test.skipIf(!hasKeychain)(
  'the key of a profile is stored in the keychain, used from there, and removed with the profile',
  async () => {
    await using sandbox = await createSandbox()
    const home = await folder()
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: await folder() }
    const text = await inSession(
      `echo sk_sandbox_alice | sandbox profile add alice --base-url ${sandbox.url} --keychain --api-key-file -
    cat '${home}/messaging-sandbox/profiles.json'
    sandbox billing balance --profile alice --query free
    sandbox api GET /_sandbox/health --profile alice >/dev/null && sandbox status --profile alice
    sandbox profile remove alice
    sandbox profile add alice --base-url ${sandbox.url} --no-api-key
    sandbox billing balance --profile alice || echo "no key: $?"`,
      env,
    )
    expect(text).toContain('"api_key_in":"keychain"')
    expect(text).not.toContain('sk_sandbox_alice')
    expect(text).toContain('"key_accepted":true')
    expect(text).toContain('no key: 3')
    expect((await sandbox.client.namespaces.list()).namespaces.map(({ name }) => name)).toContain('alice')
  },
)

test('without a keychain a profile is refused, and nothing is written', async () => {
  const home = await folder()
  const env = { HOME: home, XDG_CONFIG_HOME: home, SANDBOX_API_KEY: 'sk_sandbox_alice' }
  const add = (...more: string[]) =>
    sandboxCommand(['profile', 'add', 'alice', '--base-url', 'http://localhost:1', '--keychain', ...more], { env })
  const both = await add('--no-api-key')
  expect(both).toMatchObject({ code: 2, error: { message: expect.stringContaining('--keychain stores a key') } })
  if (process.platform !== 'linux' || process.env.DBUS_SESSION_BUS_ADDRESS) return
  const { code, error } = await add()
  expect({ code, error }).toMatchObject({ code: 3, error: { message: expect.stringContaining('keychain') } })
  expect(existsSync(join(home, 'messaging-sandbox', 'profiles.json'))).toBe(false)
})
