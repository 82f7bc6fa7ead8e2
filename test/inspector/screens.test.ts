import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { htmlOf } from '../../src/cli/commands/preview/picture.ts'
import { FINDINGS } from '../../src/display/handset/findings.ts'
import { layOut } from '../../src/display/handset/layout.ts'
import type { Card, HandsetSender, PhonePlatform, RcsContent, Suggestion } from '../../src/display/handset/shapes.ts'
import { blankPage, story } from './browser.ts'

/**
 * Compares a picture of each handset rule with a reviewed one. `SANDBOX_SCREENS=write` writes the
 * pictures again.
 */

const SCREENS = fileURLToPath(new URL('screens/', import.meta.url))

const sender: HandsetSender = {
  name: 'Kettles & Co',
  isVerified: true,
  color: '#3451c7',
}
const reply = (text: string): Suggestion => ({ reply: { text, postback_data: 'YQ==' } })
const link = (text: string): Suggestion => ({ action: { text, open_url: { url: 'https://example.com' } } })
const dial = (text: string): Suggestion => ({ action: { text, dial: { phone_number: '+493012345678' } } })
const media = (height: 'SHORT' | 'MEDIUM' | 'TALL', name = 'kettle.jpg') => ({
  url: `https://example.com/${name}`,
  height,
})
const LONG =
  'Boils a litre in two minutes, keeps it warm for an hour, and is silent while it does, for those who sleep.'

const card = (content: Card, orientation: 'VERTICAL' | 'HORIZONTAL' = 'VERTICAL'): RcsContent => ({
  rich_card: { standalone: { orientation, content } },
})
const carousel = (cards: Card[], card_width: 'SMALL' | 'MEDIUM' = 'MEDIUM'): RcsContent => ({
  rich_card: { carousel: { card_width, cards } },
})

const CASES: Readonly<Record<string, RcsContent>> = {
  text: { text: 'Your parcel arrives today between 14:00 and 16:00. Will you be in?' },
  chips: {
    text: 'Shall we come?',
    suggestions: [reply('Yes'), dial('Call us'), link('See it'), link('Map'), reply('No')],
  },
  'media-short': card({ title: 'Blue kettle', media: media('SHORT') }),
  'media-medium': card({ title: 'Blue kettle', media: media('MEDIUM') }),
  'media-tall': card({ title: 'Blue kettle', media: media('TALL') }),
  'suggestions-dropped': card({
    ...{ title: 'Blue kettle', description: LONG, media: media('MEDIUM') },
    suggestions: [reply('Take it'), link('See it'), reply('Not now'), dial('Ask')],
  }),
  'description-dropped': card({
    ...{ title: `Blue kettle. ${LONG}`, description: LONG, media: media('TALL') },
    suggestions: [reply('Take it'), link('See it')],
  }),
  horizontal: card({ title: 'Blue kettle', description: LONG, media: media('MEDIUM') }, 'HORIZONTAL'),
  'horizontal-video': card({ title: 'Blue kettle', media: media('MEDIUM', 'kettle.mp4') }, 'HORIZONTAL'),
  'carousel-medium': carousel([
    { title: 'Blue', description: 'Short.', media: media('SHORT'), suggestions: [reply('Take it')] },
    { title: 'Green', description: LONG, media: media('SHORT'), suggestions: [reply('Take it'), link('See it')] },
  ]),
  'carousel-small-tall': carousel(
    [
      { title: 'Blue', media: media('TALL') },
      { title: 'Green', media: media('TALL') },
    ],
    'SMALL',
  ),
  'title-dropped': carousel(
    [
      { title: 'Blue', media: media('SHORT') },
      { title: 'Green', media: media('SHORT') },
      { title: 'Red', media: media('SHORT') },
      { title: `Black. ${LONG}`, description: LONG, media: media('MEDIUM'), suggestions: [reply('Take it')] },
    ],
    'SMALL',
  ),
  'carousel-tall': carousel([
    { title: 'Blue', media: media('TALL') },
    { title: 'Green', media: media('SHORT') },
  ]),
  'media-dropped': card({
    ...{ title: `${LONG} ${LONG}`, description: `${LONG} ${LONG} ${LONG}`, media: media('SHORT') },
    suggestions: [reply('Take it')],
  }),
  'gif-still': card({ title: 'Blue kettle', media: media('MEDIUM', 'kettle.gif') }),
  'many-replies': { text: 'When?', suggestions: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map(reply) },
  'link-not-last': { text: 'See https://example.com/kettle for more.' },
  'link-in-card': card({ title: 'Blue kettle', description: 'See https://example.com/kettle for more.' }),
}

const PROFILES = ['android', 'ios'] as const
const SIZE = { width: 392, height: 712 }
/** Share of points that may differ: each version of Chromium draws edges a little differently. */
const TOLERANCE = 0.02

/** Gives the page a font of its own, because the fonts of a machine decide where lines break. */
async function styleWithFont(): Promise<string> {
  const font = await readFile(new URL('font/dejavu-sans.woff2', import.meta.url))
  return `@font-face { font-family: own; src: url(data:font/woff2;base64,${font.toString('base64')}) }
    :root { --sans: own; --mono: own; text-rendering: geometricPrecision }`
}

/** The fonts of the machine that take part in what the page shows. */
async function fontsOfMachine(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'body, body *' })
  const used = await Promise.all(nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId })))
  await session.detach()
  const fonts = used.flatMap(({ fonts }) => fonts)
  return [...new Set(fonts.filter((font) => !font.isCustomFont).map((font) => font.familyName))]
}

/** Its fourth card is what the rule is about. */
const SCROLLED = 'title-dropped'

interface Shown {
  name: string
  content: RcsContent
  profile: PhonePlatform
  style: string
}

async function pictureOf(page: Page, { name, content, profile, style }: Shown): Promise<Buffer> {
  await page.setContent(await htmlOf({ content, profile, sender }))
  await page.addStyleTag({ content: style })
  await page.locator('.turn').waitFor()
  await page.evaluate(() => document.fonts.ready)
  if (name === SCROLLED)
    await page.locator('.turn *').evaluateAll((all) => {
      for (const one of all) one.scrollLeft = one.scrollWidth
    })
  return page.screenshot()
}

/** The share of points that differ, seen from so far away that edges of letters do not count. */
async function difference(page: Page, a: Buffer, b: Buffer): Promise<number> {
  const urls = [a, b].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`)
  return page.evaluate(async ([first, second]) => {
    const points = async (url: string) => {
      const image = new Image()
      image.src = url
      await image.decode()
      const canvas = new OffscreenCanvas(image.width / 2, image.height / 2)
      const context = canvas.getContext('2d')!
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      return context.getImageData(0, 0, canvas.width, canvas.height).data
    }
    const [one, other] = [await points(first!), await points(second!)]
    if (one.length !== other.length) return 1
    let different = 0
    for (let i = 0; i < one.length; i += 4)
      if ([0, 1, 2].some((channel) => Math.abs(one[i + channel]! - other[i + channel]!) > 40)) different++
    return different / (one.length / 4)
  }, urls)
}

story('a picture names the buttons that a phone folds into Options', async () => {
  await using blank = await blankPage()
  const { page } = blank
  for (const [name, profile, says] of [
    ['chips', 'ios', ['In “Options”: “Call us”, “See it”, “Map”']],
    ['carousel-medium', 'ios', ['In “Options”: “Take it”, “See it”']],
    ['chips', 'android', []],
  ] as const) {
    await page.setContent(await htmlOf({ content: CASES[name], profile, sender }))
    await page.locator('.turn').waitFor()
    expect(await page.locator('.turn > .not-shown').allTextContents()).toEqual(says)
  }
})

story('every layout rule looks as in its reviewed picture on both phones', async () => {
  const style = await styleWithFont()
  // The page itself loads nothing, by its policy.
  await using blank = await blankPage({ viewport: SIZE, deviceScaleFactor: 0.5, bypassCSP: true })
  const { page } = blank
  await using judge = await blankPage()
  const differing: Record<string, number> = {}
  const alike: string[] = []
  const foreign = new Set<string>()
  await mkdir(SCREENS, { recursive: true })
  for (const [name, content] of Object.entries(CASES)) {
    const pictures: Buffer[] = []
    for (const profile of PROFILES) {
      const file = `${SCREENS}${name}-${profile}.png`
      const picture = await pictureOf(page, { name, content, profile, style })
      for (const font of await fontsOfMachine(page)) foreign.add(font)
      pictures.push(picture)
      if (process.env.SANDBOX_SCREENS === 'write') await writeFile(file, picture)
      const share = existsSync(file) ? await difference(judge.page, picture, await readFile(file)) : 1
      if (share > TOLERANCE) differing[`${name}-${profile}`] = share
    }
    // The tolerance must see what a rule changes: where the layouts differ, so do the pictures.
    const layouts = PROFILES.map((profile) => JSON.stringify(layOut(content, profile).cards))
    const share = await difference(judge.page, pictures[0]!, pictures[1]!)
    if (layouts[0] !== layouts[1] && share <= TOLERANCE) alike.push(name)
  }
  expect({ differing, alike, foreign: [...foreign] }).toEqual({ differing: {}, alike: [], foreign: [] })
  const seen = Object.values(CASES).flatMap((content) =>
    PROFILES.flatMap((profile) => layOut(content, profile).findings.map(({ code }) => code)),
  )
  expect(Object.keys(FINDINGS).filter((code) => !seen.includes(code as (typeof seen)[number]))).toEqual([])
})
