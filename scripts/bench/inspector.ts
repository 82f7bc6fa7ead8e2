import { renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { installedBrowser } from '../../src/cli/commands/preview/picture.ts'
import { alternate, median, percentile } from './load.ts'
import { type Running, startSandbox } from './processes.ts'

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

/** Starts a sandbox and a browser for some work; undefined if no browser is installed. */
async function inBrowser<T>(flags: string[], work: (sandbox: Running, browser: Browser) => Promise<T>) {
  if (!BROWSER) return undefined
  const sandbox = await startSandbox(...flags)
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    return await work(sandbox, browser)
  } finally {
    await browser.close()
    await sandbox.stop()
  }
}

/** Measures start to readiness and readiness to first paint, ms, and the sandbox's memory before and after looks, bytes. */
export const firstPaint = () =>
  inBrowser(['--memory'], async (sandbox, browser) => {
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
  })

const FRAMES = 120

/** Measures how soon rows of a long list show, and frames while it is scrolled up and down, ms. */
export const longList = (data: string) =>
  inBrowser(['--data', data], async (sandbox, browser) => {
    const look = async () => {
      const page = await (await browser.newContext()).newPage()
      // Noted in the page: the answer to a command of the browser may come late.
      await page.addInitScript(NOTE_ROWS)
      await page.goto(`http://localhost:${sandbox.port}/#/default/messages`)
      return { page, rowsAt: await page.evaluate<number>('rowsAt') }
    }
    const { firsts } = await alternate(5, {
      async firsts() {
        const { page, rowsAt } = await look()
        await page.context().close()
        return rowsAt
      },
    })
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
    return { firstRows: median(firsts), p95: percentile(frames, 0.95) }
  })

/** Runs in the page: a promise of when a frame with rows was painted. */
const NOTE_ROWS = `rowsAt = new Promise(function look(done) {
  requestAnimationFrame(() => {
    if (document.querySelector('.list a.row')) requestAnimationFrame(() => done(performance.now()))
    else look(done)
  })
})`
