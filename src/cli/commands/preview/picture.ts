import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { standalonePage } from '../../../world/file/standalone-page.ts'
import { EXIT, Fault } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'

/** The size of a phone with its margin. */
const SIZE = '392,712'
/** The first is Chromium without windows: it starts in half of the time, with a quarter of the CPU. */
const BROWSERS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

/** Draws a message on a phone as PNG, with Chromium and a page that loads nothing. */
export async function pictureOf(shown: unknown, io: Io): Promise<Buffer> {
  const browser = browserIn(io)
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-preview-'))
  try {
    const page = join(folder, 'phone.html')
    const picture = join(folder, 'phone.png')
    await writeFile(page, await htmlOf(shown))
    await run(browser, [
      '--headless',
      // Chromium refuses to run as root otherwise, as in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--hide-scrollbars',
      '--force-device-scale-factor=2',
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${SIZE}`,
      `--screenshot=${picture}`,
      pathToFileURL(page).href,
    ])
    return await readFile(picture).catch(() => {
      throw broken(`${browser} did not write a picture.`)
    })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The Chromium to draw pages with: that of the variable CHROMIUM, or an installed one. */
export function installedBrowser({ CHROMIUM, PATH = process.env.PATH ?? '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter(Boolean)
  const installed = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...(CHROMIUM ? [CHROMIUM] : []), ...installed].find((path) => existsSync(path))
}

function browserIn({ env }: Io): string {
  const found = installedBrowser(env)
  if (found) return found
  throw new Fault('A picture needs Chromium, which is not installed.', {
    code: 'no_browser',
    exit: EXIT.configuration,
    hint: 'Install one (Debian: apt-get install chromium-headless-shell), or name it in CHROMIUM.',
  })
}

const broken = (message: string) => new Fault(message, { code: 'browser_failed', exit: EXIT.configuration })

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    child.once('error', (error) => reject(broken(`${program} cannot be run: ${error.message}.`)))
    child.once('exit', (code) => (code === 0 ? resolve() : reject(broken(`${program} ended with ${code}.`))))
  })
}

export const htmlOf = (shown: unknown): Promise<string> =>
  standalonePage({
    bundle: 'preview',
    title: 'A phone',
    data: shown,
    style: ' body { padding: 6px; background: #fff }',
  })
