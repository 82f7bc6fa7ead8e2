import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { onTheWire } from './raw-request.ts'

/** A request target is a path, an absolute HTTP URL, or `*` (RFC 9112 §3.2). */

test.each(['GET', 'POST', 'DELETE'])('%s of what is no path reaches no operation', async (method) => {
  await using sandbox = await createSandbox()
  for (const target of [
    'ftp://localhost/v1/messages',
    'https:/v1/messages',
    'x:/_sandbox/rules',
    '/_sandbox/rules#x',
    '*',
  ])
    expect({
      target,
      ...(await onTheWire(sandbox.url, [`${method} ${target} HTTP/1.1`, 'Host: localhost'])),
    }).toMatchObject({ target, status: expect.toSatisfy((status) => status === 400 || status === 404) })
})
