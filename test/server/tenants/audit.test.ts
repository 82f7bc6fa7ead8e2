import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { OBSERVER_HEADER } from '../../../src/words/observer.ts'
import { folder } from '../../folder.ts'
import { ADMIN, shared } from './shared.ts'

interface Entry {
  actor: string
  namespace: string
  operation: string
  path: string
  status: number | null
}

const observing = { [OBSERVER_HEADER]: 'curl' }

test('an observer is in the audit log where it is refused or exports secrets or a world', async () => {
  const { create, admin } = await shared()
  const team = await create('team-a')
  await create('team-b')
  await team.ask('POST', '/_sandbox/snapshots', { name: 'before' })
  for (const path of [
    '/_sandbox/snapshots/before/export',
    '/_sandbox/world/dump?secrets=true',
    '/_sandbox/events/secret',
    '/_sandbox/inbox',
    '/_sandbox/handsets/nobody',
    '/_sandbox/audit',
    '/ns/team-b/_sandbox/clock',
  ])
    await team.ask('GET', path, undefined, observing)
  const { entries } = (await admin('GET', '/_sandbox/audit')).json as { entries: Entry[] }
  expect(entries.slice(3).map(({ operation, status }) => [operation, status])).toEqual([
    ['snapshots.export', 200],
    ['world.dump', 200],
    ['events.secret', 200],
    ['audit.list', 403],
    ['clock.show', 401],
  ])
})

test('a stream is in the audit log when it begins, and again when it ends', async () => {
  const { url, create, admin } = await shared()
  const { control_token } = await create('team-a')
  const stop = new AbortController()
  const headers = { 'X-Sandbox-Token': control_token }
  await fetch(`${url}/_sandbox/events/stream`, { headers, signal: stop.signal })
  const statuses = async () => {
    const { entries } = (await admin('GET', '/_sandbox/audit?namespace=team-a')).json as { entries: Entry[] }
    return entries.filter(({ operation }) => operation === 'events.stream').map(({ status }) => status)
  }
  expect(await statuses()).toEqual([null])
  stop.abort()
  await expect.poll(statuses).toEqual([null, 200])
})

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

test('an entry that cannot be stored is a fault of the storage, not a bug', async () => {
  const data = await folder()
  const faults: [string, unknown][] = []
  const { admin } = await shared({ folder: data, onFault: (error, doing) => void faults.push([doing, error]) })
  const other = new Sqlite(join(data, 'tenants.sqlite'))
  try {
    other.exec('BEGIN IMMEDIATE')
    expect(await admin('GET', '/_sandbox/world')).toMatchObject({ status: 200 })
    await expect.poll(() => faults).toHaveLength(1)
  } finally {
    other.close()
  }
  expect(faults).toEqual([['writing the audit log', expect.objectContaining({ code: 'storage_unavailable' })]])
})
