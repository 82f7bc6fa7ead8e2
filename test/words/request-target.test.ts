import { expect, test } from 'vitest'
import { argumentsOf, MissingPathParameter, targetOf } from '../../src/words/request-target.ts'

test('path parameters and query of a call are encoded', () => {
  expect(targetOf('/v1/contacts/{id}/consent/{record}', { id: 'a/b', record: 'c d' })).toBe(
    '/v1/contacts/a%2Fb/consent/c%20d',
  )
  expect(targetOf('/v1/messages', {}, { to: '+49', limit: 5, cursor: undefined })).toBe('/v1/messages?to=%2B49&limit=5')
  expect(targetOf('/v1/messages?v=2', {}, { limit: 5 })).toBe('/v1/messages?v=2&limit=5')
})

test('a path parameter that would name another route is refused', () => {
  for (const id of ['', '.', '..', undefined])
    expect(() => targetOf('/v1/contacts/{id}', { id })).toThrow(MissingPathParameter)
  expect(targetOf('/v1/contacts/{id}', { id: '...' })).toBe('/v1/contacts/...')
})

test('arguments of a call are its path parameters, then the others', () => {
  expect(argumentsOf('/v1/contacts/{id}/consent/{record}', ['c_1', 'cr_1', { a: 1 }])).toEqual({
    params: { id: 'c_1', record: 'cr_1' },
    rest: [{ a: 1 }],
  })
})
