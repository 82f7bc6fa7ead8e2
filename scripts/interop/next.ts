import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pack } from '../pack.ts'
import { bin, run } from './packages.ts'

/** An application with two routes, which Next bundles as it bundles a user's code. */
const files = {
  'package.json': '{ "private": true }',
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/client/route.js': `import { createClient, Refusal } from 'messaging-sandbox'
import { createClient as createAlone } from 'messaging-sandbox/client'
import { parseEvent, verifySignature } from 'messaging-sandbox/webhooks'
export async function GET(request) {
  const options = { baseUrl: new URL(request.url).searchParams.get('base'), apiKey: 'sk_sandbox_next' }
  const refusal = await createClient(options).contacts.get('nobody').catch((error) => error)
  const { messages } = await createAlone(options).messages.list()
  const { event } = parseEvent('{"id":"evt_1","event":"message.read","timestamp":"","data":{}}')
  return Response.json([refusal instanceof Refusal, refusal.code, messages.length, event, verifySignature('x', 'sha256=0', 's')])
}`,
  'app/sandbox/route.js': `import { createSandbox } from 'messaging-sandbox'
export async function GET() {
  const sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920000', message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION', content: { text: 'Hello' },
  })
  await sandbox.clock.advance('1h')
  const { status } = await sandbox.client.messages.get(message_id)
  await sandbox.stop()
  return Response.json(status)
}`,
}

/** Builds and runs the application with each bundler of Next. */
export async function tryNext(folder: string, base: string): Promise<string> {
  const { filename } = pack(folder)
  const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', [...install, join(folder, filename)], { cwd: folder })
  const home = join(folder, 'next')
  await rm(home, { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(home, name, '..'), { recursive: true })
    await writeFile(join(home, name), text)
  }
  for (const bundler of ['--turbopack', '--webpack']) {
    await bin(folder, 'next', ['build', bundler, home])
    const answers = await ask(folder, home, [`/client?base=${base}`, '/sandbox'])
    if (answers.join(' ') !== '[true,"not_found",0,"message.read",false] "read"')
      throw new Error(`${bundler}: the application answered ${answers.join(' and ')}`)
  }
  return 'client, webhook functions and createSandbox work with Turbopack and webpack'
}

/** Starts the application on a free port and reads the answers of the paths. */
async function ask(folder: string, home: string, paths: readonly string[]): Promise<string[]> {
  const next = join(folder, 'node_modules/next/dist/bin/next')
  const server = spawn(process.execPath, [next, 'start', '-p', '0', '-H', '127.0.0.1', home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let url = ''
    for await (const line of createInterface({ input: server.stdout })) {
      url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
      if (/Ready/.test(line)) break
    }
    const texts = []
    for (const path of paths) texts.push(await (await fetch(url + path)).text())
    return texts
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}
