import { expect, test } from 'vitest'
import { attack } from '../../../scripts/tenants/strangers.ts'
import { targets } from '../../../src/server/targets.ts'

/** Short; `npm run tenants` makes 100,000 calls. */
const CALLS = 600

test('no operation accepts credentials of strangers or other tenants', async () => {
  const { answered, changed, operations, statuses } = await attack({ calls: CALLS })
  expect({ answered, changed }).toEqual({ answered: [], changed: [] })
  expect(operations).toBe(targets.length)
  // The calls reach the operations: some are answered in the own namespace of a caller.
  expect(statuses[200]).toBeGreaterThan(5)
})
