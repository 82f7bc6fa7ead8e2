import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'

test('the server answers for this machine only, so that no page can reach it under a name of its own', async () => {
  await using sandbox = await createSandbox()
  const { port } = new URL(sandbox.url)
  const status = async (Host: string, path: string) => (await ask(sandbox, 'GET', path, { headers: { Host } })).status
  for (const path of ['/v1/messages', '/_sandbox/health', '/nothing']) {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      '10.0.0.1',
      '0.0.0.0',
      '[::2]',
      '169.254.169.254',
    ])
      expect({ path, host, status: await status(host, path) }).toEqual({ path, host, status: 403 })
    for (const host of [
      'localhost',
      `localhost:${port}`,
      '127.0.0.1',
      '127.1.2.3',
      `[::1]:${port}`,
      'LOCALHOST',
      'tests.localhost',
    ])
      expect({ path, host, status: await status(host, path) }).not.toMatchObject({ status: 403 })
  }
  expect(await ask(sandbox, 'GET', '/v1/messages', { headers: { Host: 'evil.example' } })).toMatchObject({
    json: { error: 'host_not_allowed', message: expect.stringContaining('localhost'), details: [] },
  })
})

test('a web page of another origin cannot use the control plane', async () => {
  await using sandbox = await createSandbox()
  const { port, host } = new URL(sandbox.url)
  const advance = (Origin: string) =>
    ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { by: '1h' }, headers: { Origin } })
  for (const origin of [
    'https://evil.example',
    'null',
    '',
    `https://evil.example:${port}`,
    'http://localhost:1',
    'file://',
    'nonsense',
  ])
    expect({ origin, ...(await advance(origin)) }).toMatchObject({
      origin,
      status: 403,
      json: { error: 'origin_not_allowed', details: [] },
    })
  expect(await sandbox.client.clock.show()).toMatchObject({ now: '2026-01-01T00:00:00.000Z' })
  expect((await advance(`http://${host}`)).status).toBe(200)
})

test('a form of another site, which a browser sends without asking, is no JSON and is refused', async () => {
  await using sandbox = await createSandbox()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    expect(
      await ask(sandbox, 'POST', '/_sandbox/reset', { body: '{"scope":"all"}', headers: { 'Content-Type': type } }),
    ).toMatchObject({ status: 415 })
})
