import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'

test('a bug of the sandbox that no test expected fails the test at its end', async () => {
  const sandbox = await createSandbox()
  sandbox.bugs.push({ error: new Error('two rows changed'), doing: 'running due work' })
  await expect(sandbox[Symbol.asyncDispose]()).rejects.toThrow(/a bug\nwhile running due work: Error: two rows changed/)
  await expect(sandbox.client.world.health()).rejects.toThrow('cannot be reached')
})

test('a bug that was expected is taken out, and the end is quiet', async () => {
  const sandbox = await createSandbox()
  sandbox.bugs.push({ error: new Error('expected'), doing: 'a test' })
  expect(sandbox.bugs.splice(0)).toHaveLength(1)
  await expect(sandbox[Symbol.asyncDispose]()).resolves.toBeUndefined()
})
