import { renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { installedBrowser } from '../../src/cli/commands/preview/picture.ts'
import { startSandbox } from './processes.ts'

const PAGE = fileURLToPath(new URL('../../dist/inspector', import.meta.url))
const AWAY = `${PAGE}.away`
const BROWSER = installedBrowser(process.env)

/** The part of a browser's page that this file uses; the types of the other scripts know no browser. */
interface Browsing {
  requestAnimationFrame(then: (at: number) => void): number
}

/** Runs `work` while the build has no inspector. */
export async function withoutInspector<T>(work: () => Promise<T>): Promise<T> {
  renameSync(PAGE, AWAY)
  try {
    return await work()
  } finally {
    renameSync(AWAY, PAGE)
  }
}

/** Measures start to readiness and readiness to first paint, ms, and the sandbox's memory before and after looks, bytes. */
export async function firstPaint(): Promise<
  { ready: number; paint: number; before: number; after: number } | undefined
> {
  if (!BROWSER) return undefined
  const sandbox = await startSandbox('--memory')
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const look = async () => {
      const page = await (await browser.newContext()).newPage()
      await page.goto(`http://localhost:${sandbox.port}/`)
      await page.locator('main h1').waitFor()
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      )
      await page.context().close()
      return paint
    }
    // The first look warms up the browser and loads the lazy modules of the sandbox.
    await look()
    const before = sandbox.memory()
    const paint = await look()
    for (let i = 0; i < 3; i++) await look()
    return { ready: sandbox.readyMs, paint, before, after: sandbox.memory() }
  } finally {
    await browser.close()
    await sandbox.stop()
  }
}

const FRAMES = 120

/** Measures how soon rows of a long list show, and frames while it is scrolled up and down, ms. */
export async function longList(data: string): Promise<{ firstRows: number; p95: number } | undefined> {
  if (!BROWSER) return undefined
  const sandbox = await startSandbox('--data', data)
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const look = async () => {
      const page = await (await browser.newContext()).newPage()
      // Noted in the page: the answer to a command of the browser may come late.
      await page.addInitScript(NOTE_ROWS)
      await page.goto(`http://localhost:${sandbox.port}/#/default/messages`)
      return { page, rowsAt: await page.evaluate<number>('rowsAt') }
    }
    // The first look warms up the browser and loads the lazy modules of the sandbox.
    await (await look()).page.context().close()
    const firsts: number[] = []
    for (let i = 0; i < 5; i++) {
      const { page, rowsAt } = await look()
      firsts.push(rowsAt)
      await page.context().close()
    }
    const { page } = await look()
    await page.getByText('Live', { exact: true }).waitFor()
    const list = page.getByRole('region', { name: 'Messages, newest first' })
    const frames = await list.evaluate(async (element, count) => {
      const { requestAnimationFrame: frame } = globalThis as unknown as Browsing
      const took: number[] = []
      let last = performance.now()
      for (let step = 0; step < count; step++) {
        element.scrollTo(0, (element.scrollHeight * ((step * 7) % 60)) / 60)
        await new Promise(frame)
        took.push(performance.now() - last)
        last = performance.now()
      }
      return took
    }, FRAMES)
    const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)
    return { firstRows: ascending(firsts)[2]!, p95: ascending(frames)[Math.floor(FRAMES * 0.95)]! }
  } finally {
    await browser.close()
    await sandbox.stop()
  }
}

/** Runs in the page: a promise of when a frame with rows was painted. */
const NOTE_ROWS = `rowsAt = new Promise(function look(done) {
  requestAnimationFrame(() => {
    if (document.querySelector('.list a.row')) requestAnimationFrame(() => done(performance.now()))
    else look(done)
  })
})`
