import { expect, test } from 'vitest'
import { operations } from '../../src/registry/api.ts'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'

const noKey = { headers: { Authorization: undefined } }

test.each([
  ['/docs', '/openapi.json'],
  ['/_sandbox/docs', '/_sandbox/openapi.json'],
])('%s shows %s, and loads from this server only', async (path, document) => {
  await using sandbox = await createSandbox()
  const { status, headers, text } = await ask(sandbox, 'GET', path, noKey)
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
  expect(text).toContain(`data-document="${document}"`)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map((match) => match[1]!)
    .filter((url) => url !== 'data:,')
  expect(loaded.filter((url) => !url.startsWith('/'))).toEqual([])
  for (const url of loaded) expect((await ask(sandbox, 'GET', url, noKey)).status, url).toBe(200)
})

test('the files of the pages come with their types, and no other file does', async () => {
  await using sandbox = await createSandbox()
  const typeOf = async (name: string) => (await ask(sandbox, 'GET', `/docs/${name}`, noKey)).headers['content-type']
  expect(await typeOf('swagger-ui.css')).toBe('text/css; charset=utf-8')
  expect(await typeOf('swagger-ui-bundle.js')).toBe('text/javascript; charset=utf-8')
  expect(await typeOf('show.js')).toBe('text/javascript; charset=utf-8')
  for (const name of [
    'package.json',
    'index.html',
    '..%2fpackage.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    'swagger-ui-bundle.js.map',
    'constructor',
  ])
    expect(await ask(sandbox, 'GET', `/docs/${name}`, noKey)).toMatchObject({
      status: 404,
      json: { error: 'not_found' },
    })
})

test.each([
  ['/docs', '/v1/'],
  ['/_sandbox/docs', '/_sandbox/'],
])('%s lists every call to a reader without JavaScript', async (path, prefix) => {
  await using sandbox = await createSandbox()
  const [, plain] = (await ask(sandbox, 'GET', path, noKey)).text.match(/<noscript>([\s\S]*)<\/noscript>/)!
  for (const operation of operations.filter((one) => one.path.startsWith(prefix)))
    expect(plain).toContain(`${operation.method.toUpperCase()} ${operation.path}</code></td><td>`)
})
