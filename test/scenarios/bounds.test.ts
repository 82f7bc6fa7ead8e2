import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { failureOf, runText } from './scenario.ts'

test('a pattern with exponential run time fails its step', async () => {
  await using sandbox = await createSandbox()
  const text = `steps:
  - set: { t: "${'a'.repeat(60)}!" }
  - check: $t
    expect: { $not: { $matches: "^(a+)+$" } }
`
  expect(failureOf(await runText(text, sandbox))).toMatch(/the pattern \^\(a\+\)\+\$ takes more than 1 s/)
  const broken = 'vars: { pattern: "(" }\nsteps:\n  - { check: a, expect: { $matches: $pattern } }\n'
  expect(failureOf(await runText(broken, sandbox))).toContain('$matches is an invalid pattern: ')
})

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are references of a scenario.
  ['text', '"${t}${t}"', 'aaaa'],
  ['list', '[$t, $t]', '[1, 2]'],
])('a %s that doubles with each step is limited in size', async (_, doubled, begin) => {
  await using sandbox = await createSandbox()
  const text = `steps:
  - set: { t: ${begin} }
  - repeat: 100
    steps:
      - set: { t: ${doubled} }
`
  expect(failureOf(await runText(text, sandbox))).toMatch(/would be larger than 1 MiB/)
})

test('secrets that a scenario saves appear in no outcome', async () => {
  await using sandbox = await createSandbox()
  const text = `vars: { password: hunter2hunter2 }
steps:
  - call: webhooks.create
    with: { url: "https://example.com/hook", events: ["*"], secret: my-own-webhook-secret }
    save: { whole: ., s: secret }
  - check: { a: $s, b: $whole, c: $password }
    expect: { a: other, b: { secret: other }, c: other }
`
  const outcome = await runText(text, sandbox)
  expect(failureOf(outcome)).toMatch(/a is "\[redacted\]", but should be "other"/)
  const shown = JSON.stringify(outcome)
  for (const secret of ['my-own-webhook-secret', 'hunter2hunter2']) expect(shown).not.toContain(secret)
})

const FIXTURES = fileURLToPath(new URL('../../fixtures/scenarios/', import.meta.url))

test('run --fresh needs no sandbox, and gives each file the world that it names', async () => {
  // Each packaged scenario passes in its world (shipped.test.ts).
  const files = ['expiry.yaml', 'insufficient-balance.yaml']
  const { code, lines } = await sandboxCommand(['run', '--fresh', ...files.map((name) => join(FIXTURES, name))])
  expect(lines.filter(({ passed }) => !passed)).toEqual([])
  expect({ code, count: lines.length }).toEqual({ code: 0, count: files.length })
  expect(await sandboxCommand(['run', '--fresh', '--base-url', 'http://localhost:1', 'a.yaml'])).toMatchObject({
    code: 2,
  })
})

test('double-opt-in.yaml passes twice in one world', async () => {
  await using sandbox = await createSandbox()
  for (const _ of [1, 2])
    expect(
      await sandboxCommand(['run', join(FIXTURES, 'double-opt-in.yaml'), '--base-url', sandbox.url]),
    ).toMatchObject({
      code: 0,
    })
})

test('record leaves out what run would refuse', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const run = (...argv: string[]) => sandboxCommand(argv, { cwd, env })
  await run('clock', 'advance', 'yesterday')
  await run('clock', 'advance', '1m')
  await run('carriers', 'set', 'nowhere', '--outage')
  await run('rules', 'show', 'rule_nowhere')
  await run('contacts', 'create', '--email', 'nobody')
  const recorded = await run('record', '--since', 'start', '--out', 'rb.yaml')
  expect(recorded).toMatchObject({ code: 0 })
  const again = await run('run', 'rb.yaml')
  expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' })
  expect((again.json.steps as { name: string }[]).map(({ name }) => name)).toEqual(['advance 1m', 'contacts.create'])
})
