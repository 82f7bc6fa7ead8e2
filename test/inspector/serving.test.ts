import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', Authorization: undefined }
const built = new URL('../../dist/inspector/', import.meta.url)

test('a browser gets the inspector at /, other clients get links as JSON', async () => {
  await using sandbox = await createSandbox()
  const page = await ask(sandbox, 'GET', '/', { headers: BROWSER })
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(page.text).toContain('<title>Messaging sandbox</title>')
  for (const Accept of [undefined, '*/*', 'application/json'])
    expect(await ask(sandbox, 'GET', '/', { headers: { Accept, Authorization: undefined } })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      json: { name: 'messaging-sandbox', docs: `${sandbox.url}/docs` },
    })
  const { json } = await ask(sandbox, 'GET', '/')
  const { docs, openapi, control, health, world, events, inspector } = json as Record<string, string> & {
    control: Record<string, string>
  }
  for (const link of [docs, openapi, control.docs, control.openapi, health, world, events, inspector])
    expect(await ask(sandbox, 'GET', link!.slice(sandbox.url.length))).toMatchObject({ status: 200 })
  expect(await ask(sandbox, 'POST', '/', { headers: BROWSER })).toMatchObject({ status: 405 })
})

test('the policy of the page allows only its own code, no other origins, and no framing', async () => {
  await using sandbox = await createSandbox()
  const { headers } = await ask(sandbox, 'GET', '/', { headers: BROWSER })
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-src 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
})

test('external images load only on request, and external scripts never', async () => {
  await using sandbox = await createSandbox()
  const { headers } = await ask(sandbox, 'GET', '/?media=allow', { headers: BROWSER })
  expect(headers['content-security-policy']).toContain(
    "script-src 'self'; style-src 'self'; img-src 'self' data: http:",
  )
  expect(await ask(sandbox, 'GET', '/?media=yes', { headers: BROWSER })).toMatchObject({ status: 400 })
  // The simple browser of VS Code adds such a field to the address.
  expect(await ask(sandbox, 'GET', '/?vscodeBrowserReqId=1', { headers: BROWSER })).toMatchObject({ status: 200 })
})

test('the page for emails allows inline styles, but no scripts, images or frames', async () => {
  await using sandbox = await createSandbox()
  const { headers } = await ask(sandbox, 'GET', '/inspector/mail.html', { headers: BROWSER })
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-src blob:; frame-ancestors 'self'",
  )
})

test('only the files of the inspector are served', async () => {
  await using sandbox = await createSandbox()
  const files = readdirSync(built)
  expect(files).toEqual(expect.arrayContaining(['index.html', 'inspector.css', 'inspector.js', 'mail.html', 'mail.js']))
  for (const name of files) expect(await ask(sandbox, 'GET', `/inspector/${name}`)).toMatchObject({ status: 200 })
  for (const name of ['nothing.js', '..%2Findex.js', '%2e%2e%2fcli.js', 'inspector', 'a.b.js'])
    expect(await ask(sandbox, 'GET', `/inspector/${name}`), name).toMatchObject({ status: 404 })
})

test('the page is small and refers to no other server', () => {
  const files = readdirSync(built).map((name) => ({ name, bytes: readFileSync(new URL(name, built)) }))
  const total = files.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0)
  expect(total).toBeLessThan(150_000)
  const page = files.filter(({ name }) => /^inspector\.(js|css)$/.test(name))
  expect(page.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0)).toBeLessThan(120_000)
  for (const { name, bytes } of files)
    expect(bytes.toString().match(/(src|href|url\()["'(=\s]*https?:/g) ?? [], name).toEqual([])
})
