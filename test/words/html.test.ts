import { expect, test } from 'vitest'
import { readHtml } from '../../src/words/html.ts'
import { linksOf } from '../../src/words/mail-links.ts'

test('a mail is read however deep its elements are nested', () => {
  const deep = `${'<div>'.repeat(2_000)}<a href="https://a.test/1">Track it</a>${'</div>'.repeat(2_000)}<a href="https://a.test/2">Help</a>`
  expect(readHtml(deep)).toMatchObject({
    text: 'Track it\nHelp',
    links: [
      { url: 'https://a.test/1', text: 'Track it' },
      { url: 'https://a.test/2', text: 'Help' },
    ],
  })
})

// With time that grows with the square of the number, each of these takes longer than the time limit of a test.
test.each([
  ['elements in one another', '<b>'.repeat(300_000)],
  ['hidden ones', `<div hidden>${'<b>'.repeat(300_000)}`],
  ['ends without a beginning', `${'<b>'.repeat(300_000)}${'</p>'.repeat(200_000)}`],
])('a mail of a million characters is read in one go: %s', (_, html) => {
  expect(readHtml(`${html}Hi`).links).toEqual([])
})

test('each link counts once', () => {
  const html =
    '<a href="https://a.test/1">One</a><a href="https://a.test/2">Two</a><a href="https://a.test/1">Again</a>'
  expect(linksOf({ html })).toEqual(['https://a.test/1', 'https://a.test/2'])
})

test('punctuation after a link is left out, however much there is of it', () => {
  const dots = '.'.repeat(900_000)
  expect(linksOf({ text: `See https://a.test/1${dots} or https://a.test${dots}/2?).` })).toEqual([
    'https://a.test/1',
    `https://a.test${dots}/2`,
  ])
})
