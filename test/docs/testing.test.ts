import { expect, test } from 'vitest'
import { OPTION_NAMES } from '../../src/library/options.ts'
import { blockOf, readPage, runPrograms, runShell } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

test('the test, the refusal, the recipes for a code, a link and leases, and the call of docs/testing.md pass as written', async () => {
  const page = await readPage('docs/testing.md')
  const programs = ['kit', 'code', 'link', 'leases', 'fetch', 'refusal'].map((marker) => blockOf(page, marker))
  const [kit, code, link, leases, fetch, refusal] = await runPrograms(programs)
  expect(kit!.split(' ')).toEqual(
    expect.arrayContaining(['message.queued', 'message.delivered', 'conversation.started']),
  )
  expect([code, link, fetch, refusal]).toEqual(['logged in', 'confirmed', '1000', 'refused'])
  expect(leases).toMatch(/^\+1\S+ \S+@example\.com$/)
})

test('a namespace is named by URL and by baggage as docs/testing.md says', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('worker-3').billing.topup({ amount: 10, currency: 'EUR' })
  const lines = blockOf(await readPage('docs/testing.md'), 'namespaces')
  const stdout = await runShell(lines.replaceAll('http://localhost:7270', sandbox.url), sandbox.url)
  expect(stdout.match(/"free":1010/g)).toHaveLength(2)
})

test('docs/testing.md lists every option of createSandbox, and no other', async () => {
  const [list] = /^`createSandbox` takes [\s\S]*?\./m.exec(await readPage('docs/testing.md'))!
  const names = [...list.matchAll(/`(\w+)`/g)].map((match) => match[1]!)
  expect(names.slice(1).toSorted()).toEqual(OPTION_NAMES.toSorted())
})
