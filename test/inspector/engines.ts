import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A browser that opens pages and evaluates expressions in them. */
interface Engine extends AsyncDisposable {
  open(url: string): Promise<void>
  /** Opens another window and stays in the first one. */
  openBeside(url: string): Promise<void>
  evaluate<T>(expression: string): Promise<T>
}

export interface InstalledEngine {
  name: string
  isInstalled: boolean
  start(): Promise<Engine>
}

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync)
const WEBKIT = '/usr/bin/WebKitWebDriver'
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const DISPLAY_SERVER = '/usr/bin/Xvfb'

/** Engines beside Chromium, from Debian's packages firefox-esr, and webkit2gtk-driver with xvfb. */
export const engines: readonly InstalledEngine[] = [
  { name: 'Firefox', isInstalled: FIREFOX !== undefined, start: startFirefox },
  {
    name: 'WebKitGTK',
    isInstalled: [WEBKIT, MINI_BROWSER, DISPLAY_SERVER].every(existsSync),
    start: startWebKit,
  },
]

/** Starts a program and resolves with the first match in what it writes. */
async function started(program: string, args: readonly string[], env: NodeJS.ProcessEnv, awaited: RegExp) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr, child.stdio[3] as NodeJS.ReadableStream])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const found = awaited.exec(text)
        if (found) resolve(found)
      })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${text}`)))
  })
  const stop = async () => {
    if (child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
  }
  return { match, stop }
}

/** Firefox speaks WebDriver BiDi itself. */
async function startFirefox(): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'firefox-'))
  const args = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0']
  const browser = await started(FIREFOX!, args, { ...process.env, HOME: home }, /WebDriver BiDi listening on (ws:\S+)/)
  const socket = new WebSocket(`${browser.match[1]}/session`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let last = 0
  const waiting = new Map<number, (answer: BidiAnswer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as BidiAnswer
    waiting.get(answer.id)?.(answer)
  })
  const command = async (method: string, params: object) => {
    const id = ++last
    const answer = await new Promise<BidiAnswer>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
    return answer.result
  }
  await command('session.new', { capabilities: {} })
  const tree = (await command('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const [{ context }] = tree.contexts as [{ context: string }]
  const visit = (where: string, url: string) =>
    command('browsingContext.navigate', { context: where, url, wait: 'complete' })
  return {
    async open(url) {
      await visit(context, url)
    },
    async openBeside(url) {
      const made = (await command('browsingContext.create', { type: 'window', background: true })) as {
        context: string
      }
      await visit(made.context, url)
    },
    async evaluate<T>(expression: string) {
      const params = { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: true }
      const { result } = (await command('script.evaluate', params)) as { result: { value: string } }
      return JSON.parse(result.value) as T
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      await browser.stop()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface BidiAnswer {
  id: number
  type: string
  result: unknown
  message?: string
}

/** WebKitGTK is driven by Debian's WebKitWebDriver on a virtual display. */
async function startWebKit(): Promise<Engine> {
  const display = await started(
    DISPLAY_SERVER,
    ['-displayfd', '3', '-screen', '0', '1280x900x24'],
    process.env,
    /(\d+)\n/,
  )
  const env = { ...process.env, DISPLAY: `:${display.match[1]}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
  const port = 24_400 + (process.pid % 90)
  const driver = spawn(WEBKIT, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  const command = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${address}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { value } = (await answer.json()) as { value: Record<string, unknown> }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  while (!(await fetch(`${address}/status`).catch(() => undefined)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  const options = { binary: MINI_BROWSER, args: ['--automation'] }
  const { sessionId } = await command('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })
  const session = `/session/${sessionId}`
  const first = await command('GET', `${session}/window`)
  return {
    async open(url) {
      await command('POST', `${session}/url`, { url })
    },
    async openBeside(url) {
      const { handle } = await command('POST', `${session}/window/new`, { type: 'window' })
      await command('POST', `${session}/window`, { handle: handle as string })
      await command('POST', `${session}/url`, { url })
      await command('POST', `${session}/window`, { handle: first as unknown as string })
    },
    async evaluate<T>(expression: string) {
      const script = `return JSON.stringify(${expression})`
      return JSON.parse(
        (await command('POST', `${session}/execute/sync`, { script, args: [] })) as unknown as string,
      ) as T
    },
    async [Symbol.asyncDispose]() {
      await command('DELETE', session).catch(() => undefined)
      driver.kill()
      await display.stop()
    },
  }
}
