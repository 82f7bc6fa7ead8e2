import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'
import { ADMIN, shared } from './tenants/shared.ts'

const LINE = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? \d+(\.\d+)?(e-?\d+)?)$/

test('a load balancer can probe without credentials, and learns only whether the sandbox accepts requests', async () => {
  let isReady = true
  const { as, create } = await shared({ isReady: () => isReady })
  await create('team-a')
  for (const path of ['/_sandbox/live', '/_sandbox/ready'])
    expect(await as({})('GET', path)).toMatchObject({ status: 200, json: { status: 'ok' } })
  isReady = false
  expect(await as({})('GET', '/_sandbox/ready')).toMatchObject({ status: 503 })
  expect(await as({})('GET', '/_sandbox/live')).toMatchObject({ status: 200 })
})

test('metrics are lines for Prometheus, need the admin token, also as a Bearer credential, and contain no secret', async () => {
  const { as, create, admin } = await shared()
  const team = await create('team-a')
  await team.ask('GET', '/v1/messages')
  await as({})('GET', '/v1/messages')
  for (const caller of [as({}), team.ask, as({ key: team.control_token })])
    expect([401, 403]).toContain((await caller('GET', '/_sandbox/metrics')).status)
  const { status, headers, text } = await as({ key: ADMIN })('GET', '/_sandbox/metrics')
  expect({ status, type: headers['content-type'] }).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  })
  expect((await admin('GET', '/_sandbox/metrics')).status).toBe(200)
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(LINE)
  expect(text).toContain('sandbox_answers_total{operation="messages.list",status="200"} 1')
  expect(text).toContain('sandbox_answers_total{operation="messages.list",status="401"} 1')
  expect(text).toContain('sandbox_namespaces{state="open"} 2')
  expect(text).not.toContain('team-a')
})

test('a sandbox that is not shared shows its metrics as it shows all of its control plane', async () => {
  await using sandbox = await createSandbox()
  expect(await ask(sandbox, 'GET', '/_sandbox/metrics')).toMatchObject({ status: 200 })
})
