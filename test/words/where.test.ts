import { expect, test } from 'vitest'
import { holds, parseWhere } from '../../src/words/where.ts'

const event = {
  event: 'message.failed',
  data: { failure_reason: 'REJECTED_SPAM', to: null, counts: { failed: 3 }, tags: ['a', 'b'], text: 'a=b' },
}
const isSo = (text: string) => holds(parseWhere(text)!, event)

test.each([
  'data.failure_reason=REJECTED_SPAM',
  'data.failure_reason!=MESSAGE_EXPIRED',
  'data.counts.failed=3',
  'data.tags=b',
  'data.tags.0=a',
  'data.text=a=b',
  'data.to=null',
  'data.failure_reason',
  'data.missing!=anything',
])('%s holds', (text) => expect(isSo(text)).toBe(true))

test.each([
  'data.failure_reason=rejected_spam',
  'data.counts=3',
  'data.tags=c',
  'data.to',
  'data.missing',
  'data.missing=',
  'data.constructor',
  'data.tags!=a',
])('%s does not hold', (text) => expect(isSo(text)).toBe(false))

test.each(['', '=x', 'data..x=1', '.data=1', 'data.x>3', 'a b=c'])('"%s" is not a condition', (text) =>
  expect(parseWhere(text)).toBeUndefined(),
)

test.each(['failure_reason=REJECTED_SPAM', 'counts.failed=3', 'event=message.failed', 'tags=["a","b"]'])(
  '%s holds, because names without a field of the event refer to its data',
  (text) => expect(isSo(text)).toBe(true),
)
