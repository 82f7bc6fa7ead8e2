import { expect, test } from 'vitest'
import { noteConnection, patienceWith } from '../../../src/service/webhooks/patience.ts'

test('a host that takes no connection is waited for once, and then briefly until it takes one', () => {
  const dead = 'http://10.1.2.3:1'
  expect(patienceWith(dead, 5_000)).toBe(5_000)
  noteConnection(dead, false)
  expect(patienceWith(dead, 5_000)).toBe(100)
  expect(patienceWith('http://10.1.2.3:2', 5_000)).toBe(5_000)
  noteConnection(dead, true)
  expect(patienceWith(dead, 5_000)).toBe(5_000)
})
