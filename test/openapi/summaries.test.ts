import { expect, test } from 'vitest'
import { nouns, operations } from '../../src/registry/api.ts'

test('a summary is a command of at most 60 characters: an imperative verb, an object, no full stop', () => {
  const summaries = [...operations, ...nouns].map(({ summary }) => summary)
  expect(summaries.filter((summary) => !/^[A-Z][a-z]+,? [^.;]{3,}$/.test(summary) || summary.length > 60)).toEqual([])
})

test('the details of an operation are sentences', () => {
  const details = operations.flatMap((operation) => operation.details ?? [])
  expect(details.length).toBeGreaterThan(20)
  expect(details.filter((text) => !/^[A-Za-z].*\.$/s.test(text))).toEqual([])
})
