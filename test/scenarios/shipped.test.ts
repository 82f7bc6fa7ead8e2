import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { scenarioSchema } from '../../scripts/openapi/editor-schemas.ts'
import { parseScenario } from '../../src/scenarios/parse.ts'
import { obstaclesOn } from '../../src/scenarios/target.ts'
import { lazily } from '../../src/words/lazy.ts'
import { createSandbox } from '../sandbox.ts'
import { failureOf, runText } from './scenario.ts'

const FOLDER = new URL('../../fixtures/scenarios/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))
const worldOf = (name: string) => parseScenario(read(name), name).world ?? 'default'

test('the package has a scenario for each documented story', () => {
  expect(names).toEqual([
    'agent-review.yaml',
    'campaign.yaml',
    'carrier-outage.yaml',
    'conversation.yaml',
    'double-opt-in.yaml',
    'expiry.yaml',
    'insufficient-balance.yaml',
    'one-time-code.yaml',
    'opt-out.yaml',
    'order-notification.yaml',
  ])
})

test.each(names)('%s passes on a frozen clock', async (name) => {
  await using sandbox = await createSandbox({ world: worldOf(name) })
  const outcome = await runText(read(name), sandbox, { file: name })
  expect(failureOf(outcome)).toBeUndefined()
  expect(outcome).toMatchObject({ passed: true, target: 'emulator' })
  expect(outcome.steps.filter(({ status }) => status === 'passed').length).toBeGreaterThan(3)
})

/**
 * Time passes by itself at a service; a minute of it is not waited for here. A campaign must still run at its second
 * trigger, also on a busy machine.
 */
const PACES: Readonly<Record<string, 'real' | 'scaled:100'>> = { 'expiry.yaml': 'scaled:100', 'campaign.yaml': 'real' }
const paceOf = (name: string) => PACES[name] ?? 'scaled:4'

const anywhere = names.filter((name) => obstaclesOn(false, parseScenario(read(name), name)).length === 0)

test.each(anywhere)('%s passes at a service that has only /v1, except for sandbox steps', async (name) => {
  await using sandbox = await createSandbox({ world: worldOf(name), clock: paceOf(name) })
  const outcome = await runText(read(name), sandbox, { file: name, isEmulator: false })
  expect(failureOf(outcome)).toBeUndefined()
  const { requests } = await sandbox.client.logs.list({ path: '/_sandbox' })
  expect(requests).toEqual([])
})

test('some packaged scenarios need a sandbox, most do not', () => {
  expect(names.filter((name) => !anywhere.includes(name))).toEqual(['carrier-outage.yaml', 'conversation.yaml'])
})

const editorCheck = lazily(() => new Ajv({ strict: false }).compile(scenarioSchema()))

test.each(names)('%s fits the schema that editors check it with', (name) => {
  const validate = editorCheck()
  const isValid = validate(parse(read(name), { merge: true }))
  expect(isValid ? [] : validate.errors).toEqual([])
})
