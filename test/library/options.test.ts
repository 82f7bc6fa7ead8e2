import { expect, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { checkNode } from '../../src/library/options.ts'

test('an option that there is not is refused with the nearest', async () => {
  await expect(createSandbox({ clok: 'real' } as SandboxOptions)).rejects.toMatchObject({
    code: 'validation_error',
    message: 'clok: is no option of createSandbox, did you mean "clock"?',
  })
})

test('a Node that cannot run it is named, and what is needed', () => {
  expect(() => checkNode({ ...process.versions, node: '20.20.2', napi: '9' })).toThrow(
    'messaging-sandbox needs Node 22.22 or newer; this is Node 20.20.2.',
  )
  expect(() => checkNode()).not.toThrow()
})
