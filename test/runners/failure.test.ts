import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepFailure, remark } from '../../src/runners/failure.ts'
import { folder } from '../folder.ts'
import { agents, phone } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } } as const
const failed = { title: 'A shop › tells Zoë', file: '/project/shop.test.ts' }

test('what is kept of a failed test has its name, and none of the colours of its runner', async () => {
  await using sandbox = await createSandbox()
  const place = await folder()
  const said = await keepFailure(sandbox, place, failed, '\u001b[31mexpected 1\u001b[39m to be 2')
  expect(await readdir(place)).toEqual(['shop-a-shop-tells-zoe.html', 'shop-a-shop-tells-zoe.snapshot'])
  expect(said).toContain(join(place, 'shop-a-shop-tells-zoe.html'))
  const page = await readFile(join(place, 'shop-a-shop-tells-zoe.html'), 'utf8')
  expect(page).toContain('expected 1 to be 2')
})

test('faults that a test has set do not meet what is kept of it', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { read: 1 } })
  await sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phone(1) })
  await sandbox.faults.add({ routes: ['messages.list'], latency: '60s' })
  await sandbox.faults.add({ routes: ['billing.transactions'], status: 503 })
  const place = await folder()
  expect(await keepFailure(sandbox, place, failed, undefined)).toContain('npx sandbox start')
  expect((await sandbox.faults.list()).faults).toMatchObject([{ hits: 0 }, { hits: 0 }])
})

test('a folder that cannot be written hides no failure', async () => {
  await using sandbox = await createSandbox()
  const file = join(await folder(), 'file')
  await writeFile(file, '')
  expect(await keepFailure(sandbox, join(file, 'failures'), failed, undefined)).toMatch(/could not be kept: E/)
})

test('a remark stands in the message of an error and in its stack, which some runners show instead', () => {
  const error = new Error('expected 1 to be 2')
  remark(error, 'see failures/shop.html')
  expect(error.message).toBe('expected 1 to be 2\n\nsee failures/shop.html')
  expect(error.stack).toMatch(/^Error: expected 1 to be 2\n\nsee failures\/shop\.html\n {4}at /)
})
