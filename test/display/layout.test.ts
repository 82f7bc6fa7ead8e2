import { expect, test } from 'vitest'
import { FINDINGS } from '../../src/display/handset/findings.ts'
import { layOut } from '../../src/display/handset/layout.ts'
import { linesOf } from '../../src/display/handset/metrics.ts'
import type { Card, MessageLayout, PhonePlatform, RcsContent, Suggestion } from '../../src/display/handset/shapes.ts'

/** Layout rules of handsets as tables; facts and sources are listed in docs/inspector.md. */

const reply = (text: string): Suggestion => ({ reply: { text, postback_data: 'YQ==' } })
const link = (text: string): Suggestion => ({ action: { text, open_url: { url: 'https://example.com' } } })
const replies = (n: number) => Array.from({ length: n }, (_, i) => reply(`Reply ${i + 1}`))
const links = (n: number) => Array.from({ length: n }, (_, i) => link(`Link ${i + 1}`))
const media = (height: 'SHORT' | 'MEDIUM' | 'TALL', name = 'a.jpg') => ({ url: `https://example.com/${name}`, height })
const words = (n: number) => Array.from({ length: n }, () => 'word').join(' ')

const card = (content: Card, orientation: 'VERTICAL' | 'HORIZONTAL' = 'VERTICAL'): RcsContent => ({
  rich_card: { standalone: { orientation, content } },
})
const carousel = (cards: Card[], card_width: 'SMALL' | 'MEDIUM' = 'MEDIUM'): RcsContent => ({
  rich_card: { carousel: { card_width, cards } },
})

const codes = ({ findings }: MessageLayout) => findings.map(({ code }) => code)
const on = (profile: PhonePlatform, content: RcsContent) => layOut(content, profile)
const only = (layout: MessageLayout) => layout.cards[0]!
const shown = (layout: MessageLayout) =>
  only(layout).suggestions.filter(({ visibility }) => visibility === 'shown').length

test.each([
  ['SHORT', 112],
  ['MEDIUM', 168],
  ['TALL', 264],
] as const)('Android shows %s media %i dp high, iOS all of them alike', (height, dp) => {
  const content = card({ title: 'Title', media: media(height) })
  expect(only(on('android', content)).media).toMatchObject({ heightDp: dp, widthDp: 300 })
  expect(only(on('ios', content)).media!.heightDp).toBe(168)
  expect(codes(on('ios', content))).toEqual(height === 'MEDIUM' ? [] : ['ios-media-height'])
})

test.each([
  // Google's rules of thumb: what fits beside a title and a description of one line.
  ['TALL', 1, 0],
  ['MEDIUM', 2, 2],
  ['MEDIUM', 3, 2],
  ['SHORT', 3, 3],
  ['SHORT', 4, 3],
  [undefined, 4, 4],
] as const)('with %s media and %i suggestions an Android card shows %i', (height, sent, fits) => {
  const content = card({
    title: 'Title',
    description: 'Description',
    suggestions: replies(sent),
    ...(height ? { media: media(height) } : {}),
  })
  const layout = on('android', content)
  expect(shown(layout)).toBe(fits)
  expect(codes(layout)).toEqual(Array.from({ length: sent - fits }, () => 'android-suggestion-dropped'))
})

test('without texts an Android card shows one suggestion below TALL media', () => {
  expect(shown(on('android', card({ media: media('TALL'), suggestions: replies(1) })))).toBe(1)
  expect(shown(on('android', card({ media: media('TALL'), suggestions: replies(2) })))).toBe(1)
})

test('Android cuts a card that is too tall in this order: description, title, suggestions from the last, texts', () => {
  const long = { title: words(20), description: words(60) }
  const drops = (content: Card) => codes(on('android', card(content)))
  expect(drops({ title: 'Title', description: words(140) })).toEqual(['android-description-cut'])
  expect(drops({ ...long, media: media('MEDIUM'), suggestions: replies(2) })).toEqual([
    'android-description-cut',
    'android-title-cut',
  ])
  const layout = on('android', card({ ...long, media: media('TALL'), suggestions: replies(2) }))
  expect(codes(layout)).toEqual([
    'android-description-cut',
    'android-title-cut',
    'android-suggestion-dropped',
    'android-suggestion-dropped',
  ])
  expect(layout.findings.map(({ at }) => at).slice(2)).toEqual(['card, suggestion 2', 'card, suggestion 1'])
  expect(only(layout)).toMatchObject({ title: { lines: 1 }, description: { lines: 1 }, heightDp: 332 })
})

test('a low carousel drops the description before the title, after all suggestions', () => {
  const low: Card = { media: media('SHORT') }
  const layout = on(
    'android',
    carousel([low, low, low, { title: 'Title', description: 'Text', media: media('MEDIUM') }]),
  )
  expect(layout.findings.filter(({ at }) => at === 'card 4').map(({ code }) => code)).toEqual([
    'android-carousel-height',
    'android-description-dropped',
    'android-title-dropped',
  ])
})

test('cards are 112 to 344 dp high on both platforms', () => {
  for (const profile of ['android', 'ios'] as const) {
    expect(only(on(profile, card({ title: 'T' }))).heightDp).toBe(112)
    for (const lines of [5, 50, 400])
      expect(
        only(on(profile, card({ description: words(lines), suggestions: replies(4) }))).heightDp,
      ).toBeLessThanOrEqual(344)
  }
})

test('a horizontal card has its media in a column of 128 dp; iOS cuts the image and turns the video', () => {
  const beside = (name: string) => card({ title: 'Title', media: media('TALL', name) }, 'HORIZONTAL')
  expect(only(on('android', beside('a.jpg'))).media).toMatchObject({ widthDp: 128, place: 'left' })
  expect(codes(on('android', beside('a.jpg')))).toEqual([])
  expect(codes(on('ios', beside('a.jpg')))).toEqual(['ios-horizontal-image'])
  expect(codes(on('ios', beside('a.mp4')))).toEqual(['ios-horizontal-video'])
})

test.each([
  ['SMALL', 120],
  ['MEDIUM', 232],
] as const)('a carousel of %s width has cards of %i dp', (width, dp) => {
  const layout = on('android', carousel([{ title: 'One' }, { title: 'Two' }], width))
  expect(layout.cards.map(({ widthDp }) => widthDp)).toEqual([dp, dp])
})

test('the first cards set the height of a carousel on Android; on iOS each has its own', () => {
  const cards: Card[] = [
    { title: 'Low' },
    { title: 'Higher', media: media('SHORT') },
    { title: 'Low' },
    { title: 'Highest', media: media('MEDIUM'), suggestions: replies(2) },
  ]
  const android = on('android', carousel(cards))
  expect(new Set(android.cards.map(({ heightDp }) => heightDp)).size).toBe(1)
  expect(android.findings).toContainEqual({ code: 'android-carousel-height', at: 'card 4' })
  const ios = on('ios', carousel(cards))
  expect(new Set(ios.cards.map(({ heightDp }) => heightDp)).size).toBeGreaterThan(1)
  expect(codes(ios)).toContain('ios-carousel-uneven')
})

test('TALL media become MEDIUM in a SMALL carousel, and cause advice in any carousel', () => {
  const cards: Card[] = [{ media: media('TALL') }, { title: 'Two' }]
  const small = on('android', carousel(cards, 'SMALL'))
  expect(small.cards[0]!.media!.heightDp).toBe(168)
  expect(codes(small)).toEqual(['carousel-tall-in-small'])
  expect(codes(on('android', carousel(cards)))).toEqual(['carousel-tall'])
})

test('suggestions of a carousel are counted through all its cards, as a tap counts them', () => {
  const cards: Card[] = [
    { title: 'One', suggestions: replies(2) },
    { title: 'Two', suggestions: replies(1) },
  ]
  const { cards: laid } = on('android', carousel(cards))
  expect(laid.map(({ suggestions }) => suggestions.map(({ index }) => index))).toEqual([[0, 1], [2]])
})

test('several buttons of a card fold into a menu on iOS, a single one does not', () => {
  const fates = (n: number) =>
    only(on('ios', card({ title: 'T', suggestions: replies(n) }))).suggestions.map(({ visibility }) => visibility)
  expect(fates(1)).toEqual(['shown'])
  expect(fates(2)).toEqual(['folded', 'folded'])
})

test('iOS drops the description before the title, and never the buttons', () => {
  const layout = on(
    'ios',
    card({ title: words(30), description: words(80), media: media('MEDIUM'), suggestions: replies(2) }),
  )
  const { title, description, suggestions } = only(layout)
  expect(title!.lines).toBe(title!.wanted)
  expect(description!.lines).toBeLessThan(description!.wanted)
  expect(suggestions.every(({ visibility }) => visibility === 'folded')).toBe(true)
  expect(codes(layout)).toEqual(expect.arrayContaining(['ios-text-opens-alone', 'ios-long-text']))
})

test('iOS drops the media if the title does not fit beside them', () => {
  const layout = on('ios', card({ title: words(38), media: media('TALL'), suggestions: replies(1) }))
  expect(only(layout).media!.isDropped).toBe(true)
  expect(codes(layout)).toContain('ios-media-dropped')
})

test.each([
  // replies, actions, newest, tapped, android, ios
  [2, 1, true, [], 'shown shown shown', 'shown shown shown'],
  [2, 1, false, [], 'dropped dropped dropped', 'shown shown shown'],
  [2, 1, false, [0], 'dropped dropped dropped', 'shown dropped dropped'],
  [1, 3, true, [], 'shown shown shown shown', 'folded folded folded shown'],
] as const)(
  'of %i replies and %i actions (newest: %s, tapped: %j) Android has %s and iOS %s',
  (replyCount, actionCount, isNewest, used, android, ios) => {
    const content = { text: 'Hello', suggestions: [...replies(replyCount), ...links(actionCount)] }
    const fates = (profile: PhonePlatform) =>
      layOut(content, profile, { isNewest, used })
        .chips.map(({ visibility }) => visibility)
        .join(' ')
    expect({ android: fates('android'), ios: fates('ios') }).toEqual({ android, ios })
  },
)

test('iOS puts actions above replies and keeps their indices', () => {
  const layout = on('ios', { text: 'Hello', suggestions: [reply('Yes'), link('Open')] })
  expect(layout.chips.map(({ index, kind }) => [index, kind])).toEqual([
    [1, 'open_url'],
    [0, 'reply'],
  ])
  expect(codes(layout)).toEqual(['ios-actions-first'])
})

test('only iOS previews the last link of a text, and no platform previews links in cards', () => {
  const last = { text: 'Look: https://example.com/a' }
  expect(on('ios', last).preview).toBe('https://example.com/a')
  expect(on('android', last).preview).toBeUndefined()
  expect(codes(on('ios', { text: 'https://example.com is where to look' }))).toEqual(['ios-link-not-last'])
  for (const profile of ['android', 'ios'] as const)
    expect(codes(on(profile, card({ description: 'See https://example.com' })))).toContain('link-in-card')
})

test('a GIF does not move on iOS', () => {
  expect(codes(on('ios', card({ title: 'T', media: media('MEDIUM', 'a.gif?x=1') })))).toEqual(['ios-gif-still'])
  expect(codes(on('android', card({ title: 'T', media: media('MEDIUM', 'a.gif') })))).toEqual([])
})

test.each([
  ['', 1],
  ['word', 1],
  ['one\ntwo\n\nfour', 4],
  ['x'.repeat(100), 3],
  ['漢'.repeat(30), 2],
] as const)('%j takes %i lines', (text, lines) => {
  expect(linesOf(text, 300, 'description')).toBe(lines)
})

test('every finding has a text and a source', () => {
  for (const [code, { says, source }] of Object.entries(FINDINGS)) {
    expect(says, code).toMatch(/^[A-Z].*\.$/)
    expect(source.length, code).toBeGreaterThan(5)
  }
})
