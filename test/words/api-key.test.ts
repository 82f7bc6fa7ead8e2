import { expect, test } from 'vitest'
import { isPublicKey, namespaceOfApiKey } from '../../src/words/api-key.ts'

const SECRET = '0123456789abcdef0123456789abcdef01234567'

test.each([
  ['sk_sandbox_default', 'default', true],
  ['sk_sandbox_team-a_1', 'team-a_1', true],
  [`sk_sandbox_team-a_${SECRET}`, 'team-a', false],
  [`sk_sandbox_team_a_${SECRET}`, 'team_a', false],
  [`sk_sandbox_${'a'.repeat(64)}_${SECRET}`, 'a'.repeat(64), false],
  [`sk_sandbox_${SECRET}`, SECRET, true],
  ['sk_sandbox_', undefined, false],
  ['sk_live_0123', undefined, false],
])('%s names its namespace without its secret', (key, namespace, isPublic) => {
  expect([namespaceOfApiKey(key), isPublicKey(key)]).toEqual([namespace, isPublic])
})
