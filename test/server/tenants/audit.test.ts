import { expect, test } from 'vitest'
import { OBSERVER_HEADER } from '../../../src/words/observer.ts'
import { ADMIN, shared } from './shared.ts'

interface Entry {
  actor: string
  namespace: string
  operation: string
  path: string
  status: number
}

test('the audit log lists the callers of the control plane, refusals included, without secrets', async () => {
  const { create, admin, as } = await shared()
  const team = await create('team-a')
  const other = await create('team-b')
  await team.ask('POST', '/_sandbox/clock/advance', { by: '1h' })
  await team.ask('DELETE', `/_sandbox/namespaces/team-b?token=${team.control_token}`)
  await team.ask('GET', '/_sandbox/clock', undefined, { [OBSERVER_HEADER]: 'inspector' })
  await as({ key: other.api_key, token: team.control_token })('GET', '/_sandbox/clock')
  await as({ token: 'ct_unknown' })('GET', '/_sandbox/clock')
  await team.ask('POST', '/v1/messages', {})
  const { json, text } = await admin('GET', '/_sandbox/audit?limit=50')
  const entries = json.entries as Entry[]
  const token = entries.find(({ operation }) => operation === 'clock.advance')!.actor
  expect(token).toMatch(/^token_[0-9a-f]{12}$/)
  expect(entries.map(({ actor, namespace, operation, status }) => [actor, namespace, operation, status])).toEqual([
    ['admin', 'team-a', 'namespaces.create', 201],
    ['admin', 'team-b', 'namespaces.create', 201],
    [token, 'team-a', 'clock.advance', 200],
    [token, 'team-b', 'namespaces.delete', 403],
    [token, 'team-a', 'clock.show', 401],
  ])
  for (const secret of [team.control_token, other.api_key, ADMIN]) expect(text).not.toContain(secret.slice(-20))
  const last = await admin('GET', '/_sandbox/audit?namespace=team-b&limit=1')
  expect((last.json.entries as Entry[]).map(({ operation }) => operation)).toEqual(['namespaces.delete'])
  expect(await team.ask('GET', '/_sandbox/audit')).toMatchObject({ status: 403 })
})
