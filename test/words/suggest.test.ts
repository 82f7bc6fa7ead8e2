import { expect, test } from 'vitest'
import { nearest } from '../../src/words/suggest.ts'

test.each([
  ['stauts', 'status'],
  ['snd', 'send'],
  ['gte', 'get'],
  ['PSOT', 'POST'],
  ['TO', 'to'],
  ['too', 'to'],
  ['$onof', '$one_of'],
])('%s is near %s', (word, expected) => {
  expect(nearest(word, ['status', 'send', 'get', 'POST', 'to', 'id', '$one_of'])).toBe(expected)
})

test.each([
  ['if', ['id', 'when']],
  ['then', ['when', 'node']],
  ['a', ['b']],
])('%s is near none of %j', (word, candidates) => {
  expect(nearest(word, candidates)).toBeUndefined()
})
