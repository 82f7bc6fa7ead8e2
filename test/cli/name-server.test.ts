import { execFileSync, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'

/** Runs in a network of its own, whose name server receives questions and never answers. */
const SCRIPT = `
  import { spawn } from 'node:child_process'
  import { createSocket } from 'node:dgram'
  import { once } from 'node:events'
  const nameServer = createSocket('udp4').bind(53, '127.0.0.1')
  await once(nameServer, 'listening')
  const run = (...args) => {
    const child = spawn(process.execPath, [process.env.BIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    // Later than on any busy machine, and long before the resolver gives up.
    const tooLate = setTimeout(() => child.kill('SIGKILL'), 60_000)
    child.ended = once(child, 'exit').finally(() => clearTimeout(tooLate))
    return child
  }
  const ended = async ({ ended }) => (await ended).join(' ')
  const call = (url, path, body) =>
    fetch(url + path, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const outcomes = {}
  const sandbox = run('start', '--memory', '--port', '0', '--json')
  const { url } = JSON.parse(String((await once(sandbox.stdout, 'data'))[0]).split('\\n')[0])
  await call(url, '/v1/webhooks', { url: 'https://silent.example', events: ['contact.created'] })
  const asked = once(nameServer, 'message')
  await call(url, '/v1/contacts', { email: 'ada@example.com' })
  await asked
  outcomes.stop = await ended(run('stop', '--port', new URL(url).port))
  outcomes.sandbox = await ended(sandbox)
  const remote = ['messages', 'list', '--base-url', 'https://silent.example', '--api-key', 'key']
  outcomes.late = await ended(run(...remote, '--timeout', '200ms', '--no-retry'))
  const interrupted = run(...remote)
  await once(nameServer, 'message')
  interrupted.kill('SIGINT')
  outcomes.interrupted = await ended(interrupted)
  console.log(JSON.stringify(outcomes))
  process.exit(0)
`

const isolated = (command: string) => ['-rnm', 'sh', '-c', `ip link set lo up && ${command}`] as const

const canIsolate = spawnSync('unshare', isolated('mount --bind /dev/null /etc/resolv.conf')).status === 0

test.skipIf(!canIsolate)('a silent name server does not keep a process that has done its work', async () => {
  const data = await folder()
  await writeFile(join(data, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n')
  await writeFile(join(data, 'script.mjs'), SCRIPT)
  const command = `mount --bind ${data}/resolv.conf /etc/resolv.conf && exec '${process.execPath}' ${data}/script.mjs`
  const output = execFileSync('unshare', isolated(command), {
    cwd: data,
    env: { ...process.env, BIN, HOME: data },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(JSON.parse(output)).toEqual({ stop: '0 ', sandbox: '0 ', late: '6 ', interrupted: ' SIGINT' })
})
