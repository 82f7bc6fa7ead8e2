import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

test('an empty id, such as an unset variable, does not remove all records', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ match: { to: '+49171392005*' }, behaviour: { outcome: 'delivered' } })
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: sandbox.apiKey }
  const removed = await sandboxCommand(['rules', 'remove', ''], { env })
  expect(removed).toMatchObject({ code: 2, stdout: '', error: { error: 'usage' } })
  expect(removed.error.message).toBe('<rule> is empty.')
  await expect(sandbox.client.rules.remove('')).rejects.toThrow('names nothing')
  expect((await sandbox.client.rules.list()).rules).toHaveLength(1)
})

test('an id of dots does not reach another operation', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'ada-1' })
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: sandbox.apiKey }
  expect(await sandboxCommand(['namespaces', 'reset', '..'], { env })).toMatchObject({ code: 2, stdout: '' })
  expect(await sandboxCommand(['rules', 'show', '.'], { env })).toMatchObject({ code: 2, stdout: '' })
  expect(await sandbox.client.contacts.get('ada-1')).toMatchObject({ external_id: 'ada-1' })
})

test.each([
  ['run', '<file>'],
  ['lint', '<what>'],
  ['profile use', '<name>'],
  ['snapshots save', '<name>'],
  ['clock advance', '<by>'],
  ['expect', '<event>'],
])('%s "" is refused before anything is read or sent', async (command, argument) => {
  const { code, error } = await sandboxCommand([...command.split(' '), ''], {
    env: { SANDBOX_BASE_URL: 'http://localhost:1' },
  })
  expect({ code, error }).toMatchObject({
    code: 2,
    error: {
      error: 'usage',
      message: `${argument} is empty.`,
      hint: expect.stringContaining('check that the variable is set'),
    },
  })
})

test('exec passes on empty arguments of its command', async () => {
  const { code } = await sandboxCommand(['exec', '--', process.execPath, '-e', 'process.exit(process.argv.length)', ''])
  expect(code).toBe(2)
})
