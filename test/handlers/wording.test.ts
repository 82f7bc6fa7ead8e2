import { expect, test } from 'vitest'
import { wordingOf } from '../../src/handlers/explore/wording.ts'

const LONG = `${'Thursday or Friday. '.repeat(40)}Café${', thank you'.repeat(40)}`

test.each([
  { believed: ['Hi', 'Hi'], truth: ['Hi'], says: 'has "Hi", which it should not have' },
  { believed: ['Hi'], truth: ['Hi', 'STOP'], says: 'lacks "STOP"' },
  { believed: ['Hi?'], truth: ['Hi'], says: 'has "Hi?" instead of "Hi"' },
  { believed: [], truth: [LONG], says: /^lacks ".{60}…" \(1,244 characters\)$/ },
  { believed: ['a', 'b'], truth: ['c'], says: 'lacks "c", and has "a", "b"' },
  {
    believed: [LONG.normalize('NFD')],
    truth: [LONG],
    says: `has "…rsday or Friday. Caf${'é'.normalize('NFD')}, thank you, thank…" instead of "…rsday or Friday. Café, thank you, thank …", in another Unicode normalization (U+0065 instead of U+00E9)`,
  },
])('a wrong text is described by what differs: $says', ({ believed, truth, says }) => {
  const difference = { section: 'texts', subject: '+49170', believed, truth } as const
  const whole = new Map([['texts' as const, new Map([['+49170', truth]])]])
  const compared = { belief: { texts: { '+49170': believed } }, before: {}, truth: whole, bodies: [] }
  const wording = wordingOf(difference, compared)
  const [, shown] = /^texts of \+49170: the application (.*)$/s.exec(wording) ?? []
  if (typeof says === 'string') expect(shown).toBe(says)
  else expect(shown).toMatch(says)
})
