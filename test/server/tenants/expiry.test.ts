import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issueCredential } from '../../../src/world/tenants/credentials.ts'
import { sqliteRegistry } from '../../../src/world/tenants/sqlite-registry.ts'
import { folder } from '../../folder.ts'
import { holdMachineClock, moveMachineClock } from '../../machine-clock.ts'
import { phones, rcsText } from '../../magic.ts'
import { shared } from './shared.ts'

const HOUR = 3_600_000
const LIMITS = { messages: null, storageBytes: null, sendsPerMinute: null }

test('a namespace ends at its time: its key is refused at once, and its data is deleted without a call', async () => {
  holdMachineClock()
  const data = await folder()
  const { create, worlds, admin } = await shared({ folder: data })
  const team = await create('pr-1', { ttl: '1h' })
  expect(await team.ask('POST', '/_sandbox/snapshots', { name: 'before' })).toMatchObject({ status: 201 })
  moveMachineClock(HOUR - 1)
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  moveMachineClock(1)
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 401 })
  expect(await team.ask('GET', '/_sandbox/clock')).toMatchObject({ status: 401 })
  await expect.poll(() => worlds.has('pr-1')).toBe(false)
  expect(existsSync(join(data, 'pr-1.db'))).toBe(false)
  expect(existsSync(join(data, 'snapshots', 'pr-1', 'before.db'))).toBe(false)
  expect((await admin('GET', '/_sandbox/namespaces')).text).not.toContain('pr-1')
})

test('a namespace of the same name begins without the data of the one that has expired or was deleted', async () => {
  holdMachineClock()
  const { create, admin } = await shared()
  const begin = async () => {
    const team = await create('pr-1', { ttl: '1h' })
    expect((await team.ask('GET', '/v1/messages')).json).toMatchObject({ messages: [] })
    expect((await team.ask('GET', '/_sandbox/snapshots')).json).toMatchObject({ snapshots: [] })
    await team.ask('POST', '/v1/messages', { ...rcsText, to: phones.readsAll })
    await team.ask('POST', '/_sandbox/snapshots', {})
    return team
  }
  const first = await begin()
  moveMachineClock(HOUR)
  await begin()
  expect(await first.ask('GET', '/v1/messages')).toMatchObject({ status: 401 })
  expect(await admin('DELETE', '/_sandbox/namespaces/pr-1')).toMatchObject({ status: 200 })
  await begin()
})

test('keys and data survive a restart, and what expired meanwhile is deleted at the start', async () => {
  holdMachineClock()
  const data = await folder()
  const before = await shared({ folder: data })
  const [stays, ends] = [await before.create('stays'), await before.create('ends', { ttl: '1h' })]
  await stays.ask('POST', '/v1/messages', { ...rcsText, to: phones.readsAll })
  await ends.ask('GET', '/v1/messages')
  await before.stop()
  moveMachineClock(HOUR)
  const after = await shared({ folder: data })
  expect(after.worlds.has('ends')).toBe(false)
  const { json } = await after.as(stays.credentials)('GET', '/v1/messages')
  expect(json.messages).toHaveLength(1)
  expect(await after.as(ends.credentials)('GET', '/v1/messages')).toMatchObject({ status: 401 })
})

test('acknowledged changes are in the files of the registry, but no keys or tokens', async () => {
  const [data, copy] = [await folder(), await folder()]
  const registry = sqliteRegistry(data)
  const [kept, revoked] = [issueCredential('key', 'team-a'), issueCredential('key', 'team-a')]
  await registry.create({ namespace: 'team-a', expiresAt: null, limits: LIMITS }, [revoked.credential])
  await registry.changeCredentials('team-a', { revoke: ['key'], add: [kept.credential] })
  // The files as a killed process leaves them.
  await cp(data, copy, { recursive: true })
  await registry.close()
  const again = sqliteRegistry(copy)
  expect(await again.find(kept.credential.digest)).toMatchObject({ namespace: 'team-a', kind: 'key' })
  expect(await again.find(revoked.credential.digest)).toBeUndefined()
  await again.close()
})
