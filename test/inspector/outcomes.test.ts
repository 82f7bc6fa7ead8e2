import { expect, test } from 'vitest'
import { requestOutcome } from '../../src/inspector/api/outcome.ts'

test.each([
  ['The receiver answered 500.', 500],
  ['connect ECONNREFUSED 127.0.0.1:9', null],
])('a request that an endpoint did not take is a failure: %s', (error, status_code) => {
  const { text, tone } = requestOutcome({ status_code, error })
  expect(tone).toBe('bad')
  expect(text).toBe(`Not delivered: ${error.replace(/\.$/, '')}.`)
})

test('a request that an endpoint took is a success', () => {
  expect(requestOutcome({ status_code: 204, error: null }, ' after 3 ms')).toEqual({
    text: 'Delivered: HTTP 204 after 3 ms.',
    tone: 'good',
  })
})
