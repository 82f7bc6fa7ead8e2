import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { installedBrowser } from '../src/cli/commands/preview/picture.ts'
import { createSandbox } from '../src/index.ts'
import { AGENT, MAIL, PHONE, shopDay, U } from './screenshots/shop-day.ts'

/**
 * Creates the pictures of docs/inspector.md: `npm run screenshots`. With a folder, it writes every page of the inspector
 * there: light, dark and on a phone.
 */

const browserPath = installedBrowser(process.env)
if (!browserPath)
  throw new Error(
    'No Chromium is installed (Debian: apt-get install chromium-headless-shell), or name one in CHROMIUM.',
  )

const all = process.argv[2]
const folder = all ?? fileURLToPath(new URL('../docs/images', import.meta.url))
await mkdir(folder, { recursive: true })
await using sandbox = await createSandbox({ seed: 'screenshots', now: '2026-01-01T09:00:00Z' })
const receiver = createServer((request, response) => void request.resume().on('end', () => response.end('ok')))
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as AddressInfo
const { message, failed, mail } = await shopDay(sandbox, `http://localhost:${port}/hooks`)

const documented: Record<string, string> = {
  messages: 'messages',
  message: `messages/${message}`,
  handset: `handsets/${PHONE}`,
  mailbox: `mailboxes/${MAIL}`,
}
const others: Record<string, string> = {
  beside: `messages?selected=${message}`,
  compose: 'compose',
  events: 'events',
  api: 'api',
  mail: `messages/${mail}`,
  failed: `messages/${failed}`,
  handsets: 'handsets',
  mailboxes: 'mailboxes',
  time: 'time',
  network: 'network',
  worlds: 'worlds',
  campaigns: 'campaigns',
  campaign: `campaigns/${U(101)}`,
  agents: 'agents',
  agent: `agents/${AGENT}`,
  contacts: 'contacts',
  contact: `contacts/c_${U(50)}`,
  billing: 'billing',
  webhooks: 'webhooks',
  requests: 'requests',
}

/** Pictures and counts of a page may come a moment after its text. */
const SETTLED_MS = 500

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  { name: '390', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const
for (const { name: look, ...options } of all ? LOOKS : LOOKS.slice(0, 1)) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  for (const [name, place] of Object.entries(all ? { ...documented, ...others } : documented)) {
    await page.goto(`${sandbox.url}/#/${sandbox.apiKey.replace('sk_sandbox_', '')}/${place}`)
    await page.reload()
    await page.locator('main h1').first().waitFor()
    await page.locator('main:not(:has(.reading))').waitFor()
    await page.waitForTimeout(SETTLED_MS)
    await page.screenshot({
      path: join(folder, `${name}${all ? `-${look}` : ''}.jpg`),
      type: 'jpeg',
      quality: 80,
    })
  }
  await context.close()
}
await browser.close()
receiver.close()
