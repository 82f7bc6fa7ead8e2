import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { installedBrowser } from '../../src/cli/commands/preview/picture.ts'
import type { Sandbox } from '../sandbox.ts'

/** Opens the inspector in Chromium and fails a test on any error in the console. */

const path = installedBrowser(process.env)

if (!path) {
  const missing = 'no Chromium is installed (Debian: apt-get install chromium-headless-shell), or name one in CHROMIUM'
  if (process.env.SANDBOX_BROWSER === 'required') throw new Error(`The tests of the inspector cannot run: ${missing}.`)
  console.log(`The tests of the inspector in a browser are skipped: ${missing}.`)
}

/** A test in the browser; skipped without one. */
export const story = test.skipIf(!path)

/** Shared by all test files of this process, which ends it. */
let browser: Browser | undefined

export interface Look extends AsyncDisposable {
  page: Page
  /** Goes to a place of the inspector, such as `messages/msg_…`. */
  to(place: string): Promise<void>
}

interface Options {
  colorScheme?: 'light' | 'dark'
  /** The test causes a refusal. */
  mayBeRefused?: boolean
  /** The test stops the sandbox for a while. */
  mayBeDown?: boolean
  /** The test shows content that the policy of the page blocks. */
  mayBeBlocked?: boolean
}

const ARGS = [
  '--no-sandbox',
  // Glyph widths come from the font, not from the hinting settings of the machine.
  '--font-render-hinting=none',
  // Fewer processes take less of the machine, and one of a page has the scripts of the inspector compiled already.
  '--disable-gpu',
  '--in-process-gpu',
  '--process-per-site',
  '--renderer-process-limit=1',
]

const launched = async () => (browser ??= await chromium.launch({ executablePath: path!, args: ARGS }))

/** An empty page. */
export async function blankPage(options: BrowserContextOptions = {}): Promise<AsyncDisposable & { page: Page }> {
  const context = await (await launched()).newContext(options)
  return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() }
}

/** Pages that no story uses now, each alone in its context: a new one costs more than most stories. */
const idle: Page[] = []

const newPage = async () => (await (await launched()).newContext({ reducedMotion: 'reduce' })).newPage()

/** Opens the inspector. At the end of the test, expects no errors and no requests to other origins. */
export async function look(
  sandbox: Pick<Sandbox, 'url' | 'apiKey'>,
  { colorScheme = 'light', mayBeRefused = false, mayBeDown = false, mayBeBlocked = false }: Options = {},
): Promise<Look> {
  const page = idle.pop() ?? (await newPage())
  await Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize({ width: 1280, height: 860 })])
  const complaints: string[] = []
  page.on('console', (message) => {
    // Chromium reports each refusal like this, and no page can prevent it.
    const isRefusal = mayBeRefused && /^Failed to load resource: .* status of 4\d\d/.test(message.text())
    const isDown = mayBeDown && /^Failed to load resource: net::ERR_/.test(message.text())
    const isBlocked = mayBeBlocked && message.text().includes('violates the following Content Security Policy')
    if (message.type() === 'error' && !isRefusal && !isDown && !isBlocked) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOwn = url.origin === new URL(sandbox.url).origin || url.protocol === 'data:' || url.protocol === 'blob:'
    if (!isOwn) complaints.push(`request to another origin: ${request.url()}`)
  })
  const namespace = sandbox.apiKey.replace('sk_sandbox_', '')
  // The page only reads, which creates no namespace.
  await fetch(`${sandbox.url}/v1/billing/balance`, { headers: { Authorization: `Bearer ${sandbox.apiKey}` } })
  return {
    page,
    async to(place) {
      await page.goto(`${sandbox.url}/#/${namespace}/${place}`, { waitUntil: 'commit' })
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    },
    async [Symbol.asyncDispose]() {
      await page.evaluate(() => [localStorage, sessionStorage].map((storage) => storage.clear()))
      page.removeAllListeners()
      // Left by itself, a page keeps its process, and the next story needs no other: a quarter of the time to open it.
      await Promise.all([
        page.waitForURL('about:blank'),
        page.evaluate(() => void setTimeout(() => location.replace('about:blank'))),
      ])
      idle.push(page)
      expect(complaints).toEqual([])
    },
  }
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const ALL_RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
/** The rules that another colour scheme can break. */
export const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The rules that another width can break. */
export const NARROW_RULES = {
  type: 'rule',
  values: ['target-size', 'page-has-heading-one', 'scrollable-region-focusable', 'select-name', 'label', 'button-name'],
}

/** What axe finds against WCAG 2.2 AA on the current page, or in one part of it. */
export async function violationsOn(page: Page, rules = ALL_RULES, part = 'html'): Promise<string[]> {
  // As a debugger, for no script but its own may run in the page. A document that was looked at has it already.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axe, 'utf8'))
  const args = { runOnly: rules, part }
  return page.evaluate(async ({ runOnly, part }) => {
    // Passed rules need no details, which would cost as much as the rules themselves. Frames of mails admit no scripts, so
    // axe would wait half a second for each and see nothing.
    const options = { runOnly, resultTypes: ['violations'], iframes: false }
    // All rows of a table have the same structure, and the first ones show every state.
    const context = { include: [[part]], exclude: [['tbody tr:nth-child(n + 16)']] }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(context, options)
    return violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => html).join('\n')}`)
  }, args)
}

interface Axe {
  run(on: object, options: object): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>
}
