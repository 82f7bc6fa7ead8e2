import { expect, test } from 'vitest'
import { fuzz, tell } from '../../scripts/fuzz/run.ts'
import { createSandbox } from '../sandbox.ts'

// npm run fuzz does the same 20,000 times, with another seed each day.
test('every answer matches the document, and nothing that it forbids is accepted', async () => {
  await using sandbox = await createSandbox()
  const { findings, sums } = await fuzz({ url: sandbox.url, seed: 1, requests: 800 })
  expect(findings.map(tell)).toEqual([])
  // The run reached the actions behind the checks, not only the checks.
  const accepted = [...sums.values()].filter((statuses) => [...statuses.keys()].some((status) => status < 300))
  expect(accepted.length).toBeGreaterThan(sums.size / 2)
})
